import {
  type KvRead,
  type KvStore,
  type KvWrite,
  type NotPromise,
  StoreFull,
} from '../../storage/kv/store.ts';
import type { Fault } from './step.fixture.ts';

/** A real store in which one transaction can be made to fail with a full disk. */
export class FaultyStore implements KvStore {
  readonly #store: KvStore;
  #fault: Fault = { kind: 'none' };
  #hasFailed = false;

  constructor(store: KvStore) {
    this.#store = store;
  }

  /** Makes the next transaction fail: at its write with the index `atPut`, if there is one, or at its end for `null`. */
  failNext(fault: Fault): void {
    this.#fault = fault;
    this.#hasFailed = false;
  }

  /** Whether a transaction has failed since `failNext`. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  read<T>(body: (tx: KvRead) => NotPromise<T>): T {
    return this.#store.read(body);
  }

  transact<T>(body: (tx: KvWrite) => NotPromise<T>): T {
    const fault = this.#fault;
    this.#fault = { kind: 'none' };
    if (fault.kind === 'none') return this.#store.transact(body);
    const { atPut } = fault;
    if (atPut !== null) return this.#store.transact((tx) => body(this.#failingAt(tx, atPut)));
    return this.#store.transact((tx): NotPromise<T> => {
      body(tx);
      throw this.#full();
    });
  }

  sizeBytes(): number {
    return this.#store.sizeBytes();
  }

  usedBytes(): number {
    return this.#store.usedBytes();
  }

  [Symbol.dispose](): void {
    this.#store[Symbol.dispose]();
  }

  #failingAt(tx: KvWrite, atPut: number): KvWrite {
    let puts = 0;
    return {
      find: (table, key) => tx.find(table, key),
      scan: (table, range) => tx.scan(table, range),
      count: (table, range, limit) => tx.count(table, range, limit),
      put: (table, key, value) => {
        if (puts++ === atPut) throw this.#full();
        tx.put(table, key, value);
      },
      remove: (table, key) => tx.remove(table, key),
    };
  }

  #full(): StoreFull {
    this.#hasFailed = true;
    return new StoreFull(new Error('on purpose'));
  }
}
