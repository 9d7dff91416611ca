import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { PINNED_NODE, ROOT } from './paths.mjs';
import { exitLike, runChild } from './run-child.mjs';

const VITE = `${ROOT}node_modules/vite/bin/vite.js`;

/**
 * A package that is built into files for browsers.
 * @typedef {object} Pages
 * @property {string} name as it is told
 * @property {string} folder path from the root, with a slash at the end
 * @property {readonly string[]} uses folders of other packages whose sources are built in
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
 * Files below a folder as paths from the root of the repository, in order; those for tests are not built.
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
  // The lock file holds the versions of what the pages are built of.
  const files = ['package-lock.json', 'tsconfig.base.json', ...[folder, ...uses].flatMap(listSources)];
  for (const path of files) {
    const bytes = readFileSync(ROOT + path);
    // Lengths keep one file's end and the next one's beginning apart.
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/**
 * Builds what the server sends to browsers, unless it is built of the present sources already; a build takes some seconds.
 * All output goes to standard error.
 * @returns {Promise<boolean>} false after a failure, which has then been explained and set as the exit code
 */
export async function buildPages() {
  for (const pages of PAGES) if (!(await buildOne(pages))) return false;
  return true;
}

/** @param {Pages} pages */
async function buildOne(pages) {
  const { name, folder } = pages;
  const root = ROOT + folder;
  // Without sources there is nothing to build: the server says so when it is asked for a page.
  if (!existsSync(`${root}vite.config.ts`)) return true;
  /** Written as the last act of a build, so it is absent after an interrupted one. */
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
