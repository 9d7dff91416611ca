// `npm run cluster -- simulate`: runs histories of a simulated cluster. `npm run cluster -- trial`: runs nodes on NATS
// servers, which crash, and verifies the log. `npm run cluster -- nodes`: kills servers of a cluster while clients use
// them. Runs under Node 20 without installed packages.
import { findOrFetchNatsServer } from './find-nats-server.mjs';
import { followNpm } from './follow-npm.mjs';
import { install } from './install.mjs';
import { PINNED_NODE, ROOT } from './paths.mjs';
import { exitLike, runChild } from './run-child.mjs';

const MAIN = `${ROOT}packages/server/src/cluster/model/main.ts`;

/** Returns whether the command starts its own servers. */
function startsServers([command, , address] = process.argv.slice(2)) {
  return command === 'nodes' || (command === 'trial' && address === undefined);
}

followNpm();
if (await install()) {
  const program = startsServers() ? await findOrFetchNatsServer() : undefined;
  const own = program === undefined ? [] : [`--program=${program}`];
  const args = ['--conditions=source', MAIN, ...process.argv.slice(2), ...own];
  exitLike(await runChild(PINNED_NODE, args, { stdio: 'inherit', cwd: ROOT }));
}
