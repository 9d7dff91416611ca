import { setTimeout as sleep } from 'node:timers/promises';
import { decodeBulletin, type Heartbeat } from '../cluster/bulletin.ts';
import { SHARD } from '../cluster/node/node.ts';
import type { NatsAddress } from '../platform/network/cluster-options.ts';
import { connectToServers } from './cluster-servers.ts';

/** Every node sends several heartbeats in this time. */
const LISTEN_MS = 1_200;

/** Maximum number of nodes that are listed. */
const MAX_NODES = 64;

/** Returns the last heartbeat of each node of a cluster. Rejects with a `StartFailure`. */
export async function listNodes(
  servers: readonly NatsAddress[],
  cluster: string,
): Promise<readonly Heartbeat[]> {
  await using jetStream = await connectToServers({
    cluster: servers,
    clusterName: cluster,
    clusterMonitor: [],
    clusterReplicas: 1,
  });
  const nodes = new Map<string, Heartbeat>();
  const unsubscribe = jetStream.subscribe(SHARD, (bytes) => {
    const bulletin = decodeBulletin(bytes);
    if (bulletin?.kind !== 'heartbeat') return;
    const { heartbeat } = bulletin;
    if (nodes.size < MAX_NODES || nodes.has(heartbeat.node)) nodes.set(heartbeat.node, heartbeat);
  });
  await sleep(LISTEN_MS);
  unsubscribe();
  return [...nodes.values()];
}
