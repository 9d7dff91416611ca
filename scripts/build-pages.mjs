import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { PINNED_NODE, ROOT } from './paths.mjs';
import { exitLike, runChild } from './run-child.mjs';

const VITE = `${ROOT}node_modules/vite/bin/vite.js`;
const PAGES = `${ROOT}packages/pages/`;
/** Written as the last act of a build, so it is absent after an interrupted one. */
const STAMP = `${PAGES}dist/sources.sha256`;

/**
 * Files of the package as paths from the root of the repository, in order; those for tests are not built.
 * @param {string} folder
 * @returns {string[]}
 */
function listPages(folder) {
  return readdirSync(PAGES + folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'dist' && name !== 'node_modules' && !/\.(test|fixtures?)\./.test(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) =>
      entry.isDirectory() ? listPages(`${folder}${entry.name}/`) : [`packages/pages/${folder}${entry.name}`],
    );
}

function hashSources() {
  const hash = createHash('sha256');
  // The lock file holds the versions of what the pages are built of.
  for (const path of ['package-lock.json', 'tsconfig.base.json', ...listPages('')]) {
    const bytes = readFileSync(ROOT + path);
    // Lengths keep one file's end and the next one's beginning apart.
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/**
 * Builds the pages that the server sends to browsers, unless they are built of the present sources already; a build takes
 * some seconds. All output goes to standard error.
 * @returns {Promise<boolean>} false after a failure, which has then been explained and set as the exit code
 */
export async function buildPages() {
  // Without sources there is nothing to build: the server says so when it is asked for a page.
  if (!existsSync(`${PAGES}vite.config.ts`)) return true;
  const wanted = hashSources();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return true;
  process.stderr.write('Building the pages.\n');
  const outcome = await runChild(PINNED_NODE, [VITE, 'build', '--logLevel', 'warn', PAGES], {
    cwd: PAGES,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  });
  if (outcome.code === 0) {
    writeFileSync(STAMP, wanted);
    return true;
  }
  if (outcome.signal === null)
    process.stderr.write(`The pages could not be built: vite ended with code ${outcome.code}.\n`);
  exitLike(outcome);
  return false;
}
