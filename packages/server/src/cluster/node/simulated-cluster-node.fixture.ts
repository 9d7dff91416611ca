import { createLogger } from '../../platform/logger.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { TABLES } from '../../storage/kv/store.ts';
import type { StopReason } from '../follower.ts';
import { Choices } from '../model/choices.ts';
import type { SimulatedServers } from '../model/simulated-log.ts';
import type { VirtualTime } from '../model/virtual-time.ts';
import type { ReplicatedLog } from '../replicated-log.ts';
import type { StoreCopy } from '../snapshots/keeper.ts';
import { loadNewest } from '../snapshots/load-newest.ts';
import { MemorySnapshots } from '../snapshots/memory-snapshots.fixture.ts';
import type { SnapshotStorage } from '../snapshots/snapshot.ts';
import type { Timers } from '../timers.ts';
import { ClusterNode } from './node.ts';
import { revertUncommitted } from './replicated-store.ts';
import { mayLackRecords } from './terms.ts';

const logger = createLogger('silent', { write: () => undefined });

/** Time between the arrival of a bulletin and its processing, in ms. */
const LAG_MS = 20;

/** The identity of the log of a simulation. */
const LOG = 'log';

/** Messages that the log of a simulation keeps. */
const KEPT_MESSAGES = 20;

/** What the nodes of a simulation have in common. */
export interface SimulatedCluster {
  readonly time: VirtualTime;
  readonly servers: SimulatedServers;
  readonly snapshots: MemorySnapshots;
}

/** A node in virtual time that can crash and freeze. Its store survives. */
export class SimulatedClusterNode {
  readonly #name: string;
  readonly #cluster: SimulatedCluster;
  #starts = 0;
  #frozenUntilMs = 0;
  store = new MemoryStore();
  /** Stores that were replaced although they contained what the log lacks. */
  readonly setAside: MemoryStore[] = [];
  isLeading = false;
  silences = 0;
  /** Number of times that the node has replaced its store by a snapshot. */
  joins = 0;
  /** The disk has too little space for a copy of the store. */
  isDiskFull = false;
  /** No bulletin arrives. */
  isCutOff = false;
  readonly lost: string[] = [];
  readonly stopped: StopReason[] = [];
  node: ClusterNode;

  constructor(name: string, time: VirtualTime, servers: SimulatedServers, snapshots = new MemorySnapshots()) {
    this.#name = name;
    this.#cluster = { time, servers, snapshots };
    this.node = this.#start();
  }

  get #time(): VirtualTime {
    return this.#cluster.time;
  }

  /** Ends the process and starts it again. Its sent messages still arrive. */
  crash(): void {
    this.#frozenUntilMs = 0;
    this.node = this.#start();
  }

  /** Ends the process, and starts it again without data. */
  empty(): void {
    this.store = new MemoryStore();
    this.crash();
  }

  /** Lets the named node lead, or one that can, if this one leads. */
  handOver(name = ''): void {
    this.run(() => {
      const successor = this.node.findSuccessor(name) ?? name;
      if (!this.isLeading) return;
      // The server is closed first, so that there are no more transactions.
      this.isLeading = false;
      this.node.handOver(successor, () => undefined);
    });
  }

  /** Ends the process until the next crash. */
  end(): void {
    this.#starts += 1;
    this.isLeading = false;
  }

  freeze(ms: number): void {
    this.#frozenUntilMs = this.#time.elapsedMs() + ms;
  }

  /** Runs an action in the process: later if it is frozen, and not at all if it has ended since. */
  run(action: () => void, start = this.#starts): void {
    if (start !== this.#starts) return;
    const waitMs = this.#frozenUntilMs - this.#time.elapsedMs();
    if (waitMs > 0) this.#time.after(waitMs, () => this.run(action, start));
    else action();
  }

  #start(): ClusterNode {
    this.#starts += 1;
    this.isLeading = false;
    const start = this.#starts;
    const gate = (action: () => void): void => this.run(action, start);
    const log = this.#connect(gate);
    const timers: Timers = {
      elapsedMs: () => this.#time.elapsedMs(),
      after: (ms, action) => this.#time.after(ms, () => gate(action)),
    };
    const storage = this.#cluster.snapshots.connect(timers, new Choices(start));
    let copies = 0;
    return new ClusterNode({
      store: this.store,
      log,
      timers,
      logger,
      storage,
      identity: LOG,
      name: this.#name,
      incarnation: Buffer.from(`${this.#name}-${start}`.padEnd(8)).toString('hex'),
      address: '',
      keptMessages: KEPT_MESSAGES,
      createId: () => `${this.#name}-${start}-${copies++}`,
      copyStore: () =>
        this.isDiskFull
          ? Promise.reject(new Error('the disk has too little space'))
          : Promise.resolve(copyMemory(this.store)),
      onNewLeader: () => undefined,
      isServing: () => this.isLeading,
      onServing: () => undefined,
      onHandOver: () => undefined,
      onStored: () => undefined,
      onSilence: () => {
        this.silences += 1;
      },
      onLead: () => {
        this.isLeading = true;
      },
      onLost: (reason) => {
        this.lost.push(reason);
        this.isLeading = false;
        this.#time.after(100, () => gate(() => this.crash()));
      },
      onStop: (reason, isLeading) => {
        this.stopped.push(reason);
        const canJoin = reason.kind === 'trimmed' || reason.kind === 'forked';
        if (isLeading && canJoin) this.crash();
        else void this.#join(reason, log, storage, timers, start);
      },
    });
  }

  #connect(gate: (action: () => void) => void): ReplicatedLog {
    const log = this.#cluster.servers.connect();
    return {
      append: (last, message, done) => log.append(last, message, (outcome) => gate(() => done(outcome))),
      read: (from, max, done) => log.read(from, max, (messages) => gate(() => done(messages))),
      extent: (done) => log.extent((extent) => gate(() => done(extent))),
      trim: (first, done) => log.trim(first, (isDone) => gate(() => done(isDone))),
      publish: (bytes) => log.publish(bytes),
      // A process that continues may read from its clients before it reads from its servers.
      subscribe: (receive) =>
        log.subscribe((bytes) => {
          if (!this.isCutOff) gate(() => this.#time.after(LAG_MS, () => gate(() => receive(bytes))));
        }),
    };
  }

  /** Replaces the store by a snapshot, as a node does. */
  async #join(
    reason: StopReason,
    log: ReplicatedLog,
    storage: SnapshotStorage,
    timers: Timers,
    start: number,
  ): Promise<void> {
    if (reason.kind !== 'trimmed' && reason.kind !== 'forked') return;
    let loaded = new MemoryStore();
    const createStore = (): Promise<MemoryStore> => {
      loaded = new MemoryStore();
      return Promise.resolve(loaded);
    };
    const { signal } = new AbortController();
    await loadNewest({ log, storage, identity: LOG, timers, logger, createStore, signal });
    // The process may have ended.
    if (start !== this.#starts) return;
    if (reason.kind === 'forked' || mayLackRecords(loaded, this.store)) this.setAside.push(this.store);
    this.store = loaded;
    this.joins += 1;
    this.crash();
  }
}

/** Copies a store, and reverts in the copy what is not committed. */
function copyMemory(from: MemoryStore): StoreCopy {
  const store = new MemoryStore();
  from.read((source): void =>
    store.transact((tx): void => {
      for (const table of TABLES)
        for (const { key, value } of source.scan(table, {})) tx.put(table, key, value);
    }),
  );
  store.transact(revertUncommitted);
  return { store, [Symbol.asyncDispose]: () => Promise.resolve() };
}
