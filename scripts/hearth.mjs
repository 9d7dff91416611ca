// `npm run hearth -- <command>`: runs a command of the server's program in the directory where npm was called.
// Runs under Node 20 without installed packages.
import { buildPages } from './build-pages.mjs';
import { followNpm } from './follow-npm.mjs';
import { install } from './install.mjs';
import { COMPILE_CACHE, PINNED_NODE, ROOT } from './paths.mjs';
import { runAlone } from './run-alone.mjs';
import { exitLike, runChild } from './run-child.mjs';

const PROGRAM = `${ROOT}packages/server/src/cli/main.ts`;

/** Commands that serve pages to browsers. */
const SERVING = ['dev', 'serve'];

function prepare() {
  return runAlone(
    async () => (await install()) && (!SERVING.includes(process.argv[2] ?? '') || (await buildPages())),
  );
}

followNpm();
if (await prepare()) {
  const args = ['--conditions=source', PROGRAM, ...process.argv.slice(2)];
  const cwd = process.env['INIT_CWD'] ?? process.cwd();
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env };
  exitLike(await runChild(PINNED_NODE, args, { stdio: 'inherit', cwd, env }));
}
