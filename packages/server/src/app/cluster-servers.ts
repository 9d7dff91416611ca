import { JetStream } from '../cluster/jetstream.ts';
import type { JetStreamLog } from '../cluster/jetstream-log.ts';
import { UnsuitableServers } from '../cluster/server-requirements.ts';
import { checkBeginning } from '../cluster/snapshots/beginning.ts';
import type { SnapshotStorage } from '../cluster/snapshots/snapshot.ts';
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

/**
 * Rejects with a `StartFailure` if a node that has read nothing must not use a log, because the log has lost messages, or
 * because the servers do not answer.
 */
export async function requireBeginning(log: JetStreamLog, storage: SnapshotStorage): Promise<void> {
  const problem = await checkBeginning(log, storage, log.identity).catch((cause: unknown) => {
    throw new StartFailure(
      `The NATS servers do not answer: ${cause instanceof Error ? cause.message : String(cause)} Try again when they have a leader.`,
      cause,
    );
  });
  if (problem !== undefined) throw new StartFailure(problem);
}

/** Calls a function that uses NATS servers. Rejects with a `StartFailure` if they are unsuitable. */
export async function explainServers<T>(use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (cause) {
    throw cause instanceof UnsuitableServers ? new StartFailure(cause.message, cause) : cause;
  }
}
