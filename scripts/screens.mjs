// `npm run screens [-- <prefix>…]`: takes the pictures in `docs/screens`, or only those whose names begin with one of
// the prefixes. Runs under Node 20 without installed packages.
import { buildPages } from './build-pages.mjs';
import { CHROMIUM, findOrInstall } from './find-browser.mjs';
import { followNpm } from './follow-npm.mjs';
import { install } from './install.mjs';
import { PINNED_NODE, ROOT } from './paths.mjs';
import { exitLike, runChild } from './run-child.mjs';

const MAIN = `${ROOT}conformance/screens/main.ts`;

async function run() {
  const chromium = await findOrInstall(CHROMIUM);
  if (chromium === undefined) {
    process.exitCode = 1;
    return;
  }
  const env = { ...process.env, [CHROMIUM.variable]: chromium };
  const args = ['--conditions=source', MAIN, ...process.argv.slice(2)];
  exitLike(await runChild(PINNED_NODE, args, { stdio: 'inherit', cwd: ROOT, env }));
}

followNpm();
if ((await install()) && (await buildPages())) await run();
