import { findKeyCheck } from '../backup/secret-key-check.ts';
import type { JetStream } from '../cluster/jetstream.ts';
import type { JetStreamLog } from '../cluster/jetstream-log.ts';
import { Front } from '../cluster/node/front.ts';
import { LinkServer, type LinkServerOptions } from '../cluster/node/links.ts';
import { ClusterNode, SHARD } from '../cluster/node/node.ts';
import { holdOutput } from '../cluster/node/output.ts';
import { findLogIdentity, findPosition, putFirstPosition, putLogIdentity } from '../cluster/node/position.ts';
import { holdsOtherData } from '../cluster/node/replicated-store.ts';
import { copyStore, removeUnfinished } from '../cluster/snapshots/directories.ts';
import type { SnapshotStorage } from '../cluster/snapshots/snapshot.ts';
import { systemTimers } from '../cluster/timers.ts';
import { BodyBudget } from '../http/body-budget.ts';
import { HttpServer } from '../http/server.ts';
import { systemClock } from '../platform/clock.ts';
import { openDataDirectory } from '../platform/data-directory.ts';
import { explainBindFailure, explainStoreFailure, StartFailure } from '../platform/failures.ts';
import type { Logger } from '../platform/logger.ts';
import type { SocketAddress } from '../platform/network/cluster-options.ts';
import { randomBytes } from '../platform/random.ts';
import { deriveKey, keyFingerprint, type SecretKey } from '../platform/secret-key.ts';
import type { ServeOptions } from '../platform/serve-options.ts';
import type { KvStore } from '../storage/kv/store.ts';
import { type App, listen, localUrl, openAdmission, openDirectory, openStore, readPages } from './app.ts';
import { replaceStore } from './cluster-join.ts';
import { connectToServers, explainServers, requireBeginning } from './cluster-servers.ts';
import type { Mode } from './mode.ts';
import type { Backend } from './open-backend.ts';
import { openPolicies, openSite } from './open-http.ts';
import { watchProcess } from './watch-process.ts';

export interface ClusterAppOptions extends ServeOptions {
  readonly clusterAddress: SocketAddress;
}

export interface ClusterPorts {
  readonly mode: Mode;
  readonly logger: Logger;
  /** The key that all nodes have in common. */
  readonly secretKey: SecretKey;
  /** Receives the path of a setup link for the first owner, when this node begins to lead a cluster without one. */
  readonly onOwnerLink: (path: string) => void;
  /** Ends the process. It must start again, unless `isStopping` is true. No other code may run afterwards. */
  readonly onLost: (isStopping: boolean) => void;
  /**
   * Whether the process has ended and started again by itself. If so, it waits for NATS servers that do not answer yet.
   */
  readonly isRestart: boolean;
}

/** A server that is a node of a cluster. */
export interface ClusterApp extends App {
  /** Rejects with a `StartFailure` when the node cannot continue. */
  readonly failed: Promise<never>;
}

const CONNECT_AGAIN_MS = 1_000;
const READY_POLL_MS = 50;
const INCARNATION_BYTES = 8;

/** Time for requests in progress when another node is to lead. Writes of all clients wait for it. */
const DRAIN_MS = 1_000;

function createId(): string {
  return Buffer.from(randomBytes(INCARNATION_BYTES)).toString('hex');
}

const timers = systemTimers(systemClock);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => timers.after(ms, resolve));

/**
 * Starts a node of a cluster. It opens its backend when it begins to lead; until then, it passes the connections of its
 * clients to the node that leads. Resolves when one of the two is possible. Rejects with a `StartFailure`.
 */
export async function startClusterApp(options: ClusterAppOptions, ports: ClusterPorts): Promise<ClusterApp> {
  const { mode, logger, secretKey } = ports;
  const { admission, memoryBytes } = openAdmission(options);
  const policies = openPolicies({ ...mode.http, logger });
  const key = deriveKey(secretKey, 'links of a cluster');
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  // The caller may no longer wait for this promise.
  failed.catch(() => undefined);
  let node: ClusterNode | undefined;
  const front = new Front({
    key,
    // It accepts links when its server is open.
    findLeader: () => (node?.leader?.isServing === true ? node.leader.address : undefined),
    serve: (socket) => http.adopt(socket),
  });
  const http = new HttpServer({
    ...mode.http,
    policies: policies.all,
    logger,
    connections: admission.connections,
    takeConnection: (socket) => {
      if (front.take(socket)) return true;
      if (node !== undefined) holdOutput(socket, node.store.gate);
      return false;
    },
  });
  await using stack = new AsyncDisposableStack();
  const port = await listen(http, options);
  stack.defer(() => http.close());
  const directory = stack.use(openDataDirectory(options.data));
  const watch = stack.use(watchProcess(admission, memoryBytes, logger));
  await removeUnfinished(directory.path);
  const store = openStore(directory.path);
  stack.defer(() => {
    // Once there is a node, the store belongs to it.
    if (node === undefined) store[Symbol.dispose]();
  });
  if (holdsOtherData(store))
    throw new StartFailure(
      `The directory ${directory.path} holds data of a server without a cluster. Choose an empty or new directory with --data.`,
    );
  const jetStream = stack.adopt(await connectAgain(options, ports), (it) => it[Symbol.asyncDispose]());
  const log = await explainServers(() => jetStream.openShard(SHARD, store.read(findPosition)?.slot));
  const storage = await explainServers(() => jetStream.openSnapshots(SHARD));
  const { identity } = log;
  await requireOwnLog(log, storage, store, directory.path);
  // Before the node leads, because clients wait while it opens the backend.
  const pages = await readPages();
  let opening: Promise<Backend> | undefined;
  let handingOver: Promise<void> | undefined;
  let joining: Promise<void> | undefined;
  stack.defer(async () => {
    const backend = await opening?.catch(() => undefined);
    await backend?.close();
    await new Promise<void>((resolve) => (node === undefined ? resolve() : node.whenCommitted(resolve)));
    // Everything is committed now.
    await node?.close();
    node?.store[Symbol.dispose]();
  });
  let isOpen = false;
  let isStopping = false;
  const stopping = new AbortController();
  const links = stack.use(
    await listenForLinks(options, {
      key,
      isServing: () => isOpen,
      serve: (socket) => http.adopt(socket),
    }),
  );
  const open = async (leading: ClusterNode): Promise<Backend> => {
    const { store: replicated } = leading;
    const { eventLoop } = watch;
    const store = replicated.openTerm();
    let pauseMs = 0;
    const readCluster = () => ({ pauseMs, ...leading.describe() });
    const backend = await openDirectory(directory.path, options, {
      ...pages,
      ...{ store, replication: replicated, readCluster },
      ...{ mode, logger, admission, eventLoop },
    });
    const bodyBudget = new BodyBudget(admission.bodies, mode.http.transport.networkOfClient);
    http.serve(
      openSite(policies, backend, { ...mode.http, maxBodyBytes: admission.maxBodyBytes, bodyBudget }),
    );
    pauseMs = Math.round(leading.unservedMs);
    isOpen = true;
    front.serve();
    leading.announce();
    watch.start();
    logger.info({ node: name, pauseMs }, 'this node leads the cluster');
    if (backend.ownerLinkPath !== null) ports.onOwnerLink(backend.ownerLinkPath);
    return backend;
  };
  /** Lets another node lead, and follows it. Does nothing unless a node can lead instead. */
  const handOver = async (leading: ClusterNode, wanted: string): Promise<void> => {
    const successor = leading.findSuccessor(wanted);
    const backend = isOpen ? await opening : undefined;
    if (backend === undefined) return;
    if (successor === undefined) {
      logger.warn({ node: name, wanted }, 'no other node can lead now: it must run and have read the log');
      return;
    }
    const startedMs = systemClock.elapsedMs();
    isOpen = false;
    // Other nodes count the pause from here.
    leading.announce();
    front.suspend();
    await http.suspend(DRAIN_MS);
    await backend.close();
    await new Promise<void>((resolve) => leading.handOver(successor, resolve));
    opening = undefined;
    const ms = Math.round(systemClock.elapsedMs() - startedMs);
    logger.info({ node: name, successor, ms }, 'this node has handed over');
  };
  const requestHandOver = (wanted: string): Promise<void> => {
    if (node === undefined) return Promise.resolve();
    handingOver ??= handOver(node, wanted)
      .catch((cause: unknown) => fail(cause))
      .finally(() => {
        handingOver = undefined;
      });
    return handingOver;
  };
  const name = formatAddress({ host: options.clusterAddress.host, port: links.port });
  node = new ClusterNode({
    store,
    log,
    timers,
    logger,
    name,
    incarnation: createId(),
    address: name,
    storage,
    identity,
    keptMessages: options.clusterKeep,
    createId,
    copyStore: (signal) => copyStore(directory.path, store.usedBytes(), openStore, signal),
    onNewLeader: () => front.endConnections(),
    isServing: () => isOpen,
    onServing: () => front.tryAgain(),
    onHandOver: (successor) => void requestHandOver(successor),
    onStored: requireSameKey(store, secretKey, fail),
    onSilence: () => front.endConnections(),
    onLead: () => {
      if (node === undefined) return;
      opening = open(node);
      opening.catch((cause: unknown) => fail(explainStoreFailure(cause, directory.path)));
    },
    onLost: (reason) => {
      logger.error({ node: name }, `this node ${isStopping ? 'ends' : 'starts again'}: ${reason}`);
      ports.onLost(isStopping);
    },
    onStop: (reason, isLeading) => {
      // The server of this node still uses its store.
      if (isLeading && (reason.kind === 'trimmed' || reason.kind === 'forked')) {
        ports.onLost(isStopping);
        return;
      }
      const join = { log, storage, timers, clock: systemClock, logger, directory: directory.path, store };
      const { signal } = stopping;
      joining = replaceStore(reason, {
        ...join,
        identity,
        identify: () => jetStream.identify(SHARD),
        signal,
      }).then(() => ports.onLost(isStopping), fail);
    },
  });
  stack.defer(async () => {
    front[Symbol.dispose]();
    await http.close();
  });
  const isReady = (): boolean => isOpen || (node?.leader !== undefined && node.leader.node !== name);
  await Promise.race([waitUntil(isReady), failed]);
  const resources = stack.move();
  return {
    url: localUrl(mode.http.certificate === null ? 'http' : 'https', options.host, port),
    dataPath: directory.path,
    ownerLinkPath: null,
    failed,
    replaceCertificate: (certificate) => http.replaceCertificate(certificate),
    async close() {
      isStopping = true;
      // Another node leads while this one closes.
      await requestHandOver('');
      node.retire();
      stopping.abort(new StartFailure('The node is stopping.'));
      await joining;
      await resources.disposeAsync();
    },
  };
}

/**
 * Rejects with a `StartFailure` if the store belongs to another log, or belongs to none and the log has lost its messages.
 * The store of a node that begins to read remembers the log.
 */
async function requireOwnLog(
  log: JetStreamLog,
  storage: SnapshotStorage,
  store: KvStore,
  path: string,
): Promise<void> {
  const { identity } = log;
  const known = store.read(findLogIdentity);
  if ((store.read(findPosition)?.validSlot ?? 0) === 0) await requireBeginning(log, storage);
  if (known === undefined)
    store.transact((tx): void => {
      if (findPosition(tx) === undefined) putFirstPosition(tx);
      putLogIdentity(tx, identity);
    });
  else if (known !== identity)
    throw new StartFailure(
      `The log of the cluster is not the one to which the data in ${path} belongs: NATS has lost its stores, or this node was started with the address or the directory of another cluster. Correct the addresses, restore the stores of NATS, or choose a new directory with --data.`,
    );
}

/** Returns a function that calls `fail` once if the secrets in a store were sealed with another key than that of the node. */
function requireSameKey(store: KvStore, key: SecretKey, fail: (failure: StartFailure) => void): () => void {
  let isChecked = false;
  return () => {
    if (isChecked) return;
    const check = store.read(findKeyCheck);
    // No secret is sealed yet.
    if (check === undefined) return;
    isChecked = true;
    if (check !== keyFingerprint(key))
      fail(
        new StartFailure(
          'This node has another secret key than the rest of the cluster. Give all nodes the same with HEARTH_SECRET_KEY or --key-file.',
        ),
      );
  };
}

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(READY_POLL_MS);
}

/** Connects to the NATS servers. A process that has started again waits for servers that do not answer. */
async function connectAgain(options: ClusterAppOptions, ports: ClusterPorts): Promise<JetStream> {
  for (;;) {
    try {
      return await connectToServers(options);
    } catch (cause) {
      if (!ports.isRestart || !(cause instanceof StartFailure)) throw cause;
      ports.logger.error(cause.message);
      await sleep(CONNECT_AGAIN_MS);
    }
  }
}

async function listenForLinks(
  { clusterAddress: { host, port } }: ClusterAppOptions,
  more: Pick<LinkServerOptions, 'key' | 'isServing' | 'serve'>,
): Promise<LinkServer> {
  try {
    return await LinkServer.listen({ ...more, host, port });
  } catch (cause) {
    throw explainBindFailure(cause, host, port);
  }
}

function formatAddress({ host, port }: SocketAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
