import { initializeCluster } from '../../app/cluster-init.ts';
import { StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { INIT_OPTIONS } from './options.ts';

/** Runs `hearth cluster init`: makes the data of a server without a cluster the data of a new cluster. */
export async function runClusterInit(flags: FlagsOf<typeof INIT_OPTIONS>): Promise<void> {
  const cluster = readOption(INIT_OPTIONS.cluster, flags.cluster);
  if (cluster.length === 0) throw new StartFailure('Name a NATS server of the cluster with --cluster.');
  const path = await initializeCluster(readOption(INIT_OPTIONS.data, flags.data), {
    cluster,
    clusterName: readOption(INIT_OPTIONS.clusterName, flags.clusterName),
    clusterMonitor: readOption(INIT_OPTIONS.clusterMonitor, flags.clusterMonitor),
    clusterReplicas: readOption(INIT_OPTIONS.clusterReplicas, flags.clusterReplicas),
  });
  process.stdout.write(
    `The cluster contains the data in ${path}, which is the directory of its first node. Start that node with --cluster and with the same secret key, and then the others with empty directories.\n`,
  );
}
