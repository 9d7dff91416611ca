// `npm run hostile [-- <word>…]`: attacks a server in all scenarios, or only in those whose names contain one of the
// words. Runs under Node 20 without installed packages.
import { followNpm } from './follow-npm.mjs';
import { install } from './install.mjs';
import { PINNED_NODE, ROOT } from './paths.mjs';
import { exitLike, runChild } from './run-child.mjs';

followNpm();
if (await install()) {
  const args = ['--conditions=source', `${ROOT}hostile/src/main.ts`, ...process.argv.slice(2)];
  exitLike(await runChild(PINNED_NODE, args, { stdio: 'inherit', cwd: ROOT }));
}
