// `npm run bench [-- <scenario>…]`: runs all scenarios of the bench, or only the named ones. Runs under Node 20
// without installed packages.
import { buildPages } from './build-pages.mjs';
import { followNpm } from './follow-npm.mjs';
import { install, installPeers } from './install.mjs';
import { PINNED_NODE, ROOT } from './paths.mjs';
import { exitLike, runChild } from './run-child.mjs';

followNpm();
if ((await install()) && (await installPeers()) && (await buildPages())) {
  const args = ['--conditions=source', `${ROOT}bench/src/main.ts`, ...process.argv.slice(2)];
  exitLike(await runChild(PINNED_NODE, args, { stdio: 'inherit', cwd: ROOT }));
}
