// `npm start`: installs what is missing, builds the pages, then serves in development mode. Runs under Node 20 with nothing installed.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildPages } from './build-pages.mjs';
import { followNpm } from './follow-npm.mjs';
import { install } from './install.mjs';
import { PINNED_NODE, ROOT } from './paths.mjs';
import { exitLike, runChild } from './run-child.mjs';

const SERVER = `${ROOT}packages/server/src/cli/main.ts`;
/**
 * As in the script `start`: bounds what the garbage collector lets young objects take (16 MiB instead of 64), which a
 * server under load would fill to no use.
 */
const HEAP_FLAG = '--max-semi-space-size=8';

/** True when this very process can run the server: TypeScript without a flag, and packages resolved to their source. */
function canServe() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const flags = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(' ')];
  return (major > 24 || (major === 24 && minor >= 12)) && flags.includes('--conditions=source');
}

async function serve() {
  process.argv.splice(1, 1, SERVER, 'dev');
  await import(pathToFileURL(SERVER).href);
}

async function serveWithPinnedNode() {
  const args = ['--conditions=source', HEAP_FLAG, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  exitLike(await runChild(PINNED_NODE, args, { stdio: 'inherit' }));
}

followNpm();
if ((await install()) && (await buildPages())) await (canServe() ? serve() : serveWithPinnedNode());
