import { setTimeout as sleep } from 'node:timers/promises';
import { decodeBulletin, encodeHandOver, type Heartbeat } from '../cluster/bulletin.ts';
import type { JetStream } from '../cluster/jetstream.ts';
import { SHARD } from '../cluster/node/node.ts';
import { systemClock } from '../platform/clock.ts';
import { CommandFailure } from '../platform/failures.ts';
import type { NatsAddress } from '../platform/network/cluster-options.ts';
import { connectToServers } from './cluster-servers.ts';

/** Every node sends several heartbeats in this time. */
const LISTEN_MS = 1_200;

/** Time within which another node must lead. The log of the node that leads may have to elect a leader of its own. */
const HAND_OVER_WITHIN_MS = 20_000;
const POLL_MS = 5;

/** Maximum number of nodes that are listed. */
const MAX_NODES = 64;

/** Returns the last heartbeat of each node of a cluster. Rejects with a `StartFailure`. */
export async function listNodes(
  servers: readonly NatsAddress[],
  cluster: string,
): Promise<readonly Heartbeat[]> {
  await using jetStream = await connect(servers, cluster);
  const nodes = hearNodes(jetStream);
  await sleep(LISTEN_MS);
  return [...nodes.values()];
}

/** Returns the node with the newest term; `undefined` if no node leads. */
export function findLeader(nodes: Iterable<Heartbeat>): Heartbeat | undefined {
  const [newest] = [...nodes].sort((a, b) => b.epoch - a.epoch);
  return newest !== undefined && newest.epoch > 0 && !newest.hasReleased ? newest : undefined;
}

export interface HandOver {
  readonly from: string;
  readonly to: string;
  /** Time between the request and the moment when the next leader was ready, in ms. */
  readonly ms: number;
}

/**
 * Lets the node that leads a cluster hand over to the named node; to one that it selects, if the name is empty. Resolves when
 * the next node accepts requests. Rejects with a `StartFailure` or a `CommandFailure`.
 */
export async function requestHandOver(
  servers: readonly NatsAddress[],
  cluster: string,
  successor: string,
): Promise<HandOver> {
  await using jetStream = await connect(servers, cluster);
  const nodes = hearNodes(jetStream);
  await sleep(LISTEN_MS);
  const from = findLeader(nodes.values());
  if (from === undefined) throw new CommandFailure('No node leads the cluster.');
  const others = [...nodes.values()].filter(({ node, hasStopped }) => node !== from.node && !hasStopped);
  requireSuccessor(successor, from, others);
  const startedMs = systemClock.elapsedMs();
  await jetStream.publish(SHARD, encodeHandOver(successor));
  for (;;) {
    const to = findLeader(nodes.values());
    const ms = systemClock.elapsedMs() - startedMs;
    if (to?.isServing === true && to.epoch > from.epoch) return { from: from.node, to: to.node, ms };
    if (ms > HAND_OVER_WITHIN_MS)
      throw new CommandFailure(
        `No other node has begun to lead in ${HAND_OVER_WITHIN_MS / 1_000} seconds. The log of ${from.node} says why.`,
      );
    await sleep(POLL_MS);
  }
}

function requireSuccessor(successor: string, leader: Heartbeat, others: readonly Heartbeat[]): void {
  if (successor === leader.node) throw new CommandFailure(`${successor} already leads the cluster.`);
  if (others.length === 0) throw new CommandFailure('No other node runs that could lead the cluster.');
  if (successor !== '' && !others.some(({ node }) => node === successor))
    throw new CommandFailure(
      `No node ${successor} runs that could lead. Choose one of these: ${others.map(({ node }) => node).join(', ')}.`,
    );
}

function connect(servers: readonly NatsAddress[], cluster: string): Promise<JetStream> {
  return connectToServers({
    cluster: servers,
    clusterName: cluster,
    clusterMonitor: [],
    clusterReplicas: 1,
  });
}

/** Returns the last heartbeat of each node, which changes while the connection is open. */
function hearNodes(jetStream: JetStream): ReadonlyMap<string, Heartbeat> {
  const nodes = new Map<string, Heartbeat>();
  jetStream.subscribe(SHARD, (bytes) => {
    const bulletin = decodeBulletin(bytes);
    if (bulletin?.kind !== 'heartbeat') return;
    const { heartbeat } = bulletin;
    if (nodes.size < MAX_NODES || nodes.has(heartbeat.node)) nodes.set(heartbeat.node, heartbeat);
  });
  return nodes;
}
