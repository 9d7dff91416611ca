import { type KvRead, type KvStore, type KvWrite, type NotPromise, TABLES } from '../../storage/kv/store.ts';
import { type Body, encodeBatch } from '../body.ts';
import { type ChainPosition, FIRST_POSITION } from '../chain.ts';
import type { View } from '../follower.ts';
import { MAX_BODY_BYTES, MAX_CHUNKS } from '../message.ts';
import type { Proposal, Proposer } from '../sequencer.ts';
import { CommitGate } from './commit-gate.ts';
import {
  findPosition,
  putFirstPosition,
  putPosition,
  removeOwnKeys,
  UNDO_KEYS,
  undoKey,
} from './position.ts';
import { addTerm, findTerms, TERMS_KEY, type Term, termsWrite } from './terms.ts';
import {
  applyKeyValues,
  decodeKeyValues,
  encodeKeyValues,
  type KeyValue,
  RecordedWrites,
} from './write-set.ts';

export interface ReplicatedStoreOptions {
  /** The store of this node. It is disposed of together with this one. */
  readonly store: KvStore;
  /** Differs at each start of each node; 16 hexadecimal digits. */
  readonly incarnation: string;
  /** Returns whether no other node can have begun to lead. */
  readonly isCurrent: () => boolean;
  /** Bytes of the changes of one transaction. Tests use less. */
  readonly maxWritesBytes?: number;
  /** Called when a batch waits to be proposed. */
  readonly onBatch: () => void;
  /** Called when the term has begun. The store accepts transactions from now on. */
  readonly onLead: () => void;
  /** Called when the term has ended. The store accepts no more transactions, and the process must start again. */
  readonly onLost: () => void;
}

/** A batch that was executed and not proposed yet. */
interface Batch {
  readonly number: number;
  readonly writes: Buffer;
}

/** Bytes of batches that one record holds. A longer batch is a record of its own. */
const RECORD_BYTES = 256 * 1024;

/** Bytes of batches that wait for the log, above which no further transaction should begin. */
export const MAX_WAITING_BYTES = 16 * 2 ** 20;

/** Bytes of records of other nodes that wait to be stored in one transaction. */
export const MAX_UNSTORED_BYTES = 4 * 2 ** 20;

const INCARNATION_BYTES = 8;

/** A batch begins with the incarnation of its node and the number of its last batch (6 bytes, big-endian). */
const NUMBER_BYTES = 6;
const WRITES_OFFSET = INCARNATION_BYTES + NUMBER_BYTES;

/** Bytes of the changes of one transaction that fit into a record, with its kind and header. */
const MAX_WRITES_BYTES = MAX_CHUNKS * MAX_BODY_BYTES - WRITES_OFFSET - 1;

/**
 * The store of one node of a cluster. A record of the log contains the keys that a transaction has changed.
 *
 * While the node follows, it stores the records of others, and no transaction is possible. While it leads, it executes
 * each transaction immediately, so that the next one sees it, and stores with it what the changed keys contained before.
 * Then it proposes the changes. Until they are committed, `gate` holds back everything that could depend on them. If the
 * term ends before, the process must start again: the store then reverts all transactions that it does not know to be
 * committed, and reads the log from there.
 */
export class ReplicatedStore implements KvStore, View, Proposer {
  readonly #options: ReplicatedStoreOptions;
  readonly gate: CommitGate;
  #mode: 'following' | 'leading' | 'lost' = 'following';
  #position: ChainPosition;
  #storedPosition: ChainPosition;
  #terms: readonly Term[];
  /** Writes of records that are read and not stored yet. */
  #unstored: KeyValue[][] = [];
  #unstoredBytes = 0;
  /** Batches that are executed and not proposed; at most `MAX_WAITING_BYTES` and one transaction. */
  #waiting: Batch[] = [];
  #waitingBytes = 0;
  #whenReady: (() => void)[] = [];
  /** Number of the last batch that is committed. */
  #committed = 0;
  /** Number of the last batch whose undo entry is removed. */
  #settled = 0;

  /** Reverts what is not known to be committed. */
  constructor(options: ReplicatedStoreOptions) {
    this.#options = options;
    this.gate = new CommitGate(options.isCurrent);
    options.store.transact(revertUncommitted);
    this.#position = options.store.read(findPosition) ?? FIRST_POSITION;
    this.#storedPosition = this.#position;
    this.#terms = options.store.read(findTerms);
  }

  /** The position up to which records are applied. */
  get position(): ChainPosition {
    return this.#position;
  }

  apply(body: Body, position: ChainPosition): void {
    if (this.#mode === 'lost') return;
    if (body.kind !== 'batch') {
      if (body.kind === 'epoch') {
        this.#terms = addTerm(this.#terms, position, this.#position.validSlot);
        this.#unstored.push([termsWrite(this.#terms)]);
      }
      this.#position = position;
      return;
    }
    const { payload } = body;
    const isOwn = payload.toString('hex', 0, INCARNATION_BYTES) === this.#options.incarnation;
    if (isOwn && this.#mode === 'leading') {
      this.#committed = payload.readUIntBE(INCARNATION_BYTES, NUMBER_BYTES);
      this.#position = position;
      return;
    }
    // The record of another node ends the term. Its effects follow at the next start.
    if (this.#mode === 'leading') {
      this.#lose();
      return;
    }
    this.#unstored.push([...decodeKeyValues(payload.subarray(WRITES_OFFSET))]);
    this.#unstoredBytes += payload.length;
    this.#position = position;
    if (this.#unstoredBytes > MAX_UNSTORED_BYTES) this.persist();
  }

  /** Stores what was read or committed since the last call. */
  persist(): void {
    if (this.#position === this.#storedPosition || this.#mode === 'lost') return;
    this.#options.store.transact((tx) => this.#persistIn(tx));
    this.#markPersisted();
  }

  #persistIn(tx: KvWrite): void {
    if (this.#position === this.#storedPosition) return;
    for (const writes of this.#unstored) applyKeyValues(tx, writes);
    for (let batch = this.#settled + 1; batch <= this.#committed; batch++) tx.remove('meta', undoKey(batch));
    putPosition(tx, this.#position);
  }

  #markPersisted(): void {
    this.#unstored = [];
    this.#unstoredBytes = 0;
    this.#settled = this.#committed;
    this.#storedPosition = this.#position;
  }

  read<T>(body: (tx: KvRead) => NotPromise<T>): T {
    return this.#options.store.read(body);
  }

  transact<T>(body: (tx: KvWrite) => NotPromise<T>): T {
    if (this.#mode === 'following') throw new Error('Bug: a transaction of a node that does not lead');
    let after: Buffer | undefined;
    const result = this.#options.store.transact((tx): NotPromise<T> => {
      const writes = new RecordedWrites(tx);
      const value = body(writes);
      if (!writes.isEmpty) {
        after = encodeKeyValues(writes.after);
        // Later, the transaction could not be undone.
        if (after.length > (this.#options.maxWritesBytes ?? MAX_WRITES_BYTES))
          throw new Error(
            `A transaction with ${after.length} bytes of changes is too long for the log of the cluster.`,
          );
        this.#persistIn(tx);
        tx.put('meta', undoKey(this.gate.executed + 1), encodeKeyValues(writes.before));
      }
      return value;
    });
    if (after !== undefined) this.#enqueue(after);
    return result;
  }

  #enqueue(writes: Buffer): void {
    this.#markPersisted();
    this.#waiting.push({ number: this.gate.execute(), writes });
    this.#waitingBytes += writes.length;
    this.#options.onBatch();
  }

  beginTerm(): void {
    this.persist();
    this.#mode = 'leading';
    this.#options.onLead();
  }

  next(): Proposal | undefined {
    const batches = this.#takeBatches();
    const last = batches.at(-1);
    if (last === undefined) return undefined;
    const header = Buffer.alloc(WRITES_OFFSET);
    header.write(this.#options.incarnation, 'hex');
    header.writeUIntBE(last.number, INCARNATION_BYTES, NUMBER_BYTES);
    return {
      body: encodeBatch(Buffer.concat([header, ...batches.map(({ writes }) => writes)])),
      settle: (isCommitted) => {
        if (isCommitted) this.gate.commit(last.number);
        else this.#lose();
      },
    };
  }

  #takeBatches(): readonly Batch[] {
    let bytes = 0;
    let count = 0;
    for (const { writes } of this.#waiting) {
      if (count > 0 && bytes + writes.length > RECORD_BYTES) break;
      bytes += writes.length;
      count += 1;
    }
    this.#waitingBytes -= bytes;
    const batches = this.#waiting.splice(0, count);
    if (this.#waitingBytes <= MAX_WAITING_BYTES) for (const resolve of this.#whenReady.splice(0)) resolve();
    return batches;
  }

  /**
   * Ends the term on purpose, when everything is committed: the store follows again, and no transaction is possible.
   * Returns whether it has.
   */
  release(): boolean {
    if (this.#mode !== 'leading' || this.#waiting.length > 0 || this.#committed < this.gate.executed)
      return false;
    this.persist();
    this.#mode = 'following';
    return true;
  }

  /** Returns this store for one term: it remains open when the server of the term disposes of it. */
  openTerm(): KvStore {
    return {
      read: (body) => this.read(body),
      transact: (body) => this.transact(body),
      sizeBytes: () => this.sizeBytes(),
      usedBytes: () => this.usedBytes(),
      [Symbol.dispose]: () => undefined,
    };
  }

  endTerm(): void {
    if (this.#mode === 'leading') this.#lose();
  }

  #lose(): void {
    if (this.#mode === 'lost') return;
    this.#mode = 'lost';
    this.#options.onLost();
  }

  /** Resolves when everything that was executed so far is committed. Never resolves if the term ends before. */
  whenCommitted(): Promise<void> {
    return new Promise((resolve) => this.gate.whenCommitted(resolve));
  }

  /**
   * Resolves when everything that was executed so far is committed, and no other node can have begun to lead. Never resolves
   * if the term ends before.
   */
  whenCurrent(): Promise<void> {
    return new Promise((resolve) => this.gate.whenCurrent(resolve));
  }

  /** Resolves when the next transaction may begin; `undefined` if it may begin now. */
  whenReady(): Promise<void> | undefined {
    if (this.#waitingBytes <= MAX_WAITING_BYTES) return undefined;
    return new Promise((resolve) => this.#whenReady.push(resolve));
  }

  sizeBytes(): number {
    return this.#options.store.sizeBytes();
  }

  usedBytes(): number {
    return this.#options.store.usedBytes();
  }

  [Symbol.dispose](): void {
    this.persist();
    // A read of the log may still be answered.
    this.#mode = 'lost';
    this.#options.store[Symbol.dispose]();
  }
}

/** Gives the keys of uncommitted batches their earlier values, the last batch first. */
export function revertUncommitted(tx: KvWrite): void {
  if (findPosition(tx) === undefined) putFirstPosition(tx);
  for (const { key, value } of [...tx.scan('meta', { ...UNDO_KEYS, isReversed: true })]) {
    applyKeyValues(tx, decodeKeyValues(value));
    tx.remove('meta', key);
  }
}

/** Returns whether a store holds data of a server without a cluster. */
export function holdsOtherData(store: KvStore): boolean {
  return store.read(
    (tx) => findPosition(tx) === undefined && TABLES.some((table) => tx.count(table, {}, 1) > 0),
  );
}

/** Takes a store out of its cluster, with exactly what it knows to be committed. */
export function leaveCluster(store: KvStore): void {
  store.transact((tx): void => {
    revertUncommitted(tx);
    removeOwnKeys(tx);
    tx.remove('meta', TERMS_KEY);
  });
}
