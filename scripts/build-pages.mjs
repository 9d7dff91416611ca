import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { PINNED_NODE, ROOT } from './paths.mjs';
import { exitLike, runChild } from './run-child.mjs';

const VITE = `${ROOT}node_modules/vite/bin/vite.js`;

/**
 * A package that is built into files for browsers.
 * @typedef {object} Pages
 * @property {string} name displayed name
 * @property {string} folder path from the root, with a trailing slash
 * @property {readonly string[]} uses folders of other packages whose sources are part of the build
 */

/** @type {readonly Pages[]} */
const PAGES = [
  { name: 'pages', folder: 'packages/pages/', uses: [] },
  {
    name: 'console',
    folder: 'packages/console/',
    uses: ['packages/pages/src/shell/', 'packages/client/src/', 'packages/core/src/'],
  },
];

/**
 * Returns the paths, from the root of the repository, of the source files below a folder. Omits built files and
 * files for tests.
 * @param {string} folder
 * @returns {string[]}
 */
function listSources(folder) {
  return readdirSync(ROOT + folder, { withFileTypes: true })
    .filter(
      ({ name }) => !['dist', 'node_modules', 'browser'].includes(name) && !/\.(test|fixtures?)\./.test(name),
    )
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? listSources(`${folder}${entry.name}/`) : [`${folder}${entry.name}`],
    );
}

/** @param {Pages} pages */
function hashSources({ folder, uses }) {
  const hash = createHash('sha256');
  // The lock file determines the versions of the packages in the build.
  const files = ['package-lock.json', 'tsconfig.base.json', ...[folder, ...uses].flatMap(listSources)];
  for (const path of files) {
    const bytes = readFileSync(ROOT + path);
    // The length separates the content of one file from the path of the next.
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/**
 * Builds the pages for browsers, unless the last build used the current sources. A build takes some seconds.
 * All output goes to standard error.
 * @returns {Promise<boolean>} false after a failure; prints the failure and sets the exit code
 */
export async function buildPages() {
  for (const pages of PAGES) if (!(await buildOne(pages))) return false;
  return true;
}

/** @param {Pages} pages */
async function buildOne(pages) {
  const { name, folder } = pages;
  const root = ROOT + folder;
  // Without sources, no build is needed. The server reports missing pages when a client requests one.
  if (!existsSync(`${root}vite.config.ts`)) return true;
  /** The build writes this file last, so it is absent after an interrupted build. */
  const stamp = `${root}dist/sources.sha256`;
  const wanted = hashSources(pages);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return true;
  process.stderr.write(`Building the ${name}.\n`);
  const outcome = await runChild(PINNED_NODE, [VITE, 'build', '--logLevel', 'warn', root], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  });
  if (outcome.code === 0) {
    writeFileSync(stamp, wanted);
    return true;
  }
  if (outcome.signal === null)
    process.stderr.write(`The ${name} could not be built: vite ended with code ${outcome.code}.\n`);
  exitLike(outcome);
  return false;
}
