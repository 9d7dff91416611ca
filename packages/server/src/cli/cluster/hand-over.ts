import { requestHandOver } from '../../app/cluster-status.ts';
import { StartFailure } from '../../platform/failures.ts';
import { CLUSTER_CONNECTION_OPTIONS } from '../../platform/network/cluster-options.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';

/** Runs `hearth cluster hand-over [node]`. Rejects with a `CommandFailure` if no other node begins to lead. */
export async function runClusterHandOver(
  flags: FlagsOf<typeof CLUSTER_CONNECTION_OPTIONS>,
  node = '',
): Promise<void> {
  const servers = readOption(CLUSTER_CONNECTION_OPTIONS.cluster, flags.cluster);
  const cluster = readOption(CLUSTER_CONNECTION_OPTIONS.clusterName, flags.clusterName);
  if (servers.length === 0) throw new StartFailure('Name a NATS server of the cluster with --cluster.');
  const { from, to, ms } = await requestHandOver(servers, cluster, node);
  process.stdout.write(`${to} leads the cluster instead of ${from}, after ${Math.round(ms)} ms.\n`);
}
