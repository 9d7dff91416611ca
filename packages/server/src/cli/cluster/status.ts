import { findLeader, listNodes } from '../../app/cluster-status.ts';
import type { Heartbeat } from '../../cluster/bulletin.ts';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';
import { CLUSTER_CONNECTION_OPTIONS } from '../../platform/network/cluster-options.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { formatTable, plural } from '../rules/terminal.ts';

/** Runs `hearth cluster status`. Rejects with a `CommandFailure` if no node leads. */
export async function runClusterStatus(flags: FlagsOf<typeof CLUSTER_CONNECTION_OPTIONS>): Promise<void> {
  const servers = readOption(CLUSTER_CONNECTION_OPTIONS.cluster, flags.cluster);
  const cluster = readOption(CLUSTER_CONNECTION_OPTIONS.clusterName, flags.clusterName);
  if (servers.length === 0) throw new StartFailure('Name a NATS server of the cluster with --cluster.');
  const nodes = await listNodes(servers, cluster);
  process.stdout.write(`${formatNodes(nodes).join('\n')}\n`);
  if (findLeader(nodes) === undefined) throw new CommandFailure('No node leads the cluster.');
}

function describeProblem({ head, hasStopped, failsSnapshots }: Heartbeat, newest: number): string {
  const problems = [
    head === newest ? '' : `${newest - head} behind`,
    hasStopped ? 'cannot read on' : '',
    failsSnapshots ? 'cannot store snapshots' : '',
  ];
  return problems.filter((problem) => problem !== '').join(', ');
}

/** Returns a line for each node, and one for all of them. */
export function formatNodes(nodes: readonly Heartbeat[]): readonly string[] {
  const leader = findLeader(nodes);
  const head = Math.max(0, ...nodes.map((node) => node.head));
  const rows = nodes
    .toSorted((a, b) => (a.node < b.node ? -1 : 1))
    .map((heartbeat) => [
      heartbeat.node,
      heartbeat.node === leader?.node ? 'leads' : 'follows',
      String(heartbeat.head),
      describeProblem(heartbeat, head),
    ]);
  return [
    ...formatTable([['node', 'role', 'messages', ''], ...rows]),
    `${plural(nodes.length, 'node')}, term ${leader?.epoch ?? 'none'}`,
  ];
}
