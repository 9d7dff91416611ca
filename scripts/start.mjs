// `npm start`: installs missing packages, builds the pages, then serves in development mode. Runs under Node
// 20 without installed packages.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildPages } from './build-pages.mjs';
import { followNpm } from './follow-npm.mjs';
import { install, isInstalled } from './install.mjs';
import { COMPILE_CACHE, PINNED_NODE, ROOT } from './paths.mjs';
import { printStartHelp } from './print-start-help.mjs';
import { runAlone } from './run-alone.mjs';
import { exitLike, runChild } from './run-child.mjs';

const SERVER = `${ROOT}packages/server/src/cli/main.ts`;
/**
 * The same value as in the `start` script of `package.json`. Limits the space of young objects to 16 MiB
 * instead of 64, which a server under load would fill without benefit.
 */
const HEAP_FLAG = '--max-semi-space-size=8';

/**
 * Returns whether this process can run the server. Its Node must be new enough to run TypeScript, and must have the
 * flag that resolves packages to their source.
 */
function canServe() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const flags = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(' ')];
  return (major > 24 || (major === 24 && minor >= 12)) && flags.includes('--conditions=source');
}

async function serve() {
  // Not imported above, because Node 20 does not have it.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(COMPILE_CACHE);
  process.argv.splice(1, 1, SERVER, 'dev');
  await import(pathToFileURL(SERVER).href);
}

async function serveWithPinnedNode() {
  const args = ['--conditions=source', HEAP_FLAG, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env };
  exitLike(await runChild(PINNED_NODE, args, { stdio: 'inherit', env }));
}

/** Installs and builds what is missing. A request for help needs no pages. @param {boolean} isHelp */
function prepare(isHelp) {
  return isHelp ? Promise.resolve(true) : runAlone(async () => (await install()) && (await buildPages()));
}

followNpm();
const isHelp = process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h');
if (isHelp && !isInstalled()) printStartHelp();
else if (await prepare(isHelp)) await (canServe() ? serve() : serveWithPinnedNode());
