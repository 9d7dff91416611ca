import { JetStream } from '../cluster/jetstream.ts';
import { UnsuitableServers } from '../cluster/server-requirements.ts';
import { StartFailure } from '../platform/failures.ts';
import type { NatsAddress } from '../platform/network/cluster-options.ts';

/** Options that name the servers of a cluster's log. */
export interface ClusterConnection {
  readonly cluster: readonly NatsAddress[];
  readonly clusterName: string;
  readonly clusterMonitor: readonly string[];
  readonly clusterReplicas: number;
}

/** Connects to the NATS servers. Rejects with a `StartFailure` if they cannot be reached or are unsuitable. */
export function connectToServers(options: ClusterConnection): Promise<JetStream> {
  const { cluster, clusterName, clusterMonitor, clusterReplicas } = options;
  return explainServers(() =>
    JetStream.open({
      servers: cluster.map(({ url }) => url),
      login: cluster.find((server) => server.login !== null)?.login ?? null,
      monitors: clusterMonitor,
      cluster: clusterName,
      replicas: clusterReplicas,
    }),
  );
}

/** Calls a function that uses NATS servers. Rejects with a `StartFailure` if they are unsuitable. */
export async function explainServers<T>(use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (cause) {
    throw cause instanceof UnsuitableServers ? new StartFailure(cause.message, cause) : cause;
  }
}
