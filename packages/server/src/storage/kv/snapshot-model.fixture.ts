import { expect } from 'vitest';
import { type KvSnapshot, SNAPSHOT_TABLES, SnapshotExpired } from './snapshot.ts';
import type { SnapshotAction, SnapshotStep } from './snapshot-history.arbitrary.ts';
import type { SnapshotStore } from './snapshot-store.ts';
import type { KvEntry, KvRange, KvWrite } from './store.ts';

type Pairs = ReadonlyMap<string, Buffer>;
type Contents = Readonly<Record<string, Pairs>>;

interface Opened {
  readonly snapshot: KvSnapshot;
  /** The tables when the snapshot was opened. */
  readonly copy: Contents;
}

interface Scan {
  readonly of: Opened;
  readonly iterator: Iterator<KvEntry>;
  readonly expected: Iterator<readonly [string, string]>;
}

/** A store, and the plain copies that its snapshots must equal. */
export class SnapshotModel {
  readonly #store: SnapshotStore;
  #current: Contents = Object.fromEntries(SNAPSHOT_TABLES.map((table) => [table, new Map()]));
  #opened: readonly Opened[] = [];
  #scans: readonly Scan[] = [];

  constructor(store: SnapshotStore) {
    this.#store = store;
  }

  run({ kind, actions }: SnapshotStep): void {
    if (kind === 'read') {
      this.#store.read(() => {
        for (const action of actions) this.#act(action, undefined);
      });
      return;
    }
    const [current, opened] = [this.#current, this.#opened];
    const body = (): void =>
      this.#store.transact((tx): void => {
        for (const action of actions) this.#act(action, tx);
        if (kind === 'fail') throw new Error('on purpose');
      });
    if (kind === 'transact') {
      body();
      return;
    }
    expect(body).toThrow('on purpose');
    this.#current = current;
    for (const gone of this.#opened.filter((one) => !opened.includes(one))) {
      expect(() => this.#store.read(() => gone.snapshot.find('tree', Buffer.from([1])))).toThrow(
        SnapshotExpired,
      );
      this.#forget(gone);
    }
  }

  /** Closes every snapshot and removes all of their preimages. */
  closeAll(): void {
    for (const one of this.#opened) one.snapshot[Symbol.dispose]();
    while (this.#store.transact((tx) => this.#store.dropStep(tx, 10)) === 10);
  }

  #act(action: SnapshotAction, tx: KvWrite | undefined): void {
    switch (action.kind) {
      case 'put':
      case 'remove':
        if (tx !== undefined) this.#write(tx, action);
        return;
      case 'open': {
        const snapshot = this.#store.openSnapshot();
        if (snapshot !== undefined) this.#opened = [...this.#opened, { snapshot, copy: this.#current }];
        return;
      }
      case 'close': {
        const one = choose(this.#opened, action.snapshot);
        one?.snapshot[Symbol.dispose]();
        if (one !== undefined) this.#forget(one);
        return;
      }
      case 'find': {
        const one = choose(this.#opened, action.snapshot);
        if (one === undefined) return;
        const found = one.snapshot.find(action.table, action.key);
        expect(found).toEqual(one.copy[action.table]?.get(nameOf(action.key)));
        return;
      }
      case 'scan': {
        const of = choose(this.#opened, action.snapshot);
        if (of === undefined) return;
        const iterator = of.snapshot.scan(action.table, action.range)[Symbol.iterator]();
        const expected = pairsIn(of.copy[action.table] ?? new Map(), action.range)[Symbol.iterator]();
        this.#scans = [...this.#scans, { of, iterator, expected }];
        return;
      }
      case 'advance':
        for (let pair = 0; pair < action.pairs; pair += 1) advance(choose(this.#scans, action.scan));
        return;
      case 'drop':
        if (tx !== undefined) this.#store.dropStep(tx, action.removals);
        return;
      default:
        action satisfies never;
    }
  }

  #write(tx: KvWrite, action: SnapshotAction & { readonly kind: 'put' | 'remove' }): void {
    const { table, key } = action;
    const pairs = new Map(this.#current[table]);
    if (action.kind === 'put') {
      tx.put(table, key, action.value);
      pairs.set(nameOf(key), action.value);
    } else {
      expect(tx.remove(table, key)).toBe(pairs.delete(nameOf(key)));
    }
    this.#current = { ...this.#current, [table]: pairs };
  }

  #forget(one: Opened): void {
    this.#opened = this.#opened.filter((other) => other !== one);
    this.#scans = this.#scans.filter(({ of }) => of !== one);
  }
}

function choose<T>(from: readonly T[], choice: number): T | undefined {
  return from[choice % Math.max(from.length, 1)];
}

function advance(scan: Scan | undefined): void {
  if (scan === undefined) return;
  const step = scan.iterator.next();
  const expected = scan.expected.next();
  expect(step.done === true).toBe(expected.done === true);
  if (step.done === true || expected.done === true) return;
  expect([nameOf(step.value.key), nameOf(step.value.value)]).toEqual(expected.value);
}

function pairsIn(
  pairs: Pairs,
  { lower, upper, isReversed }: KvRange,
): readonly (readonly [string, string])[] {
  const found = [...pairs]
    .filter(
      ([name]) =>
        (lower === undefined || name >= nameOf(lower)) && (upper === undefined || name < nameOf(upper)),
    )
    .map(([name, value]): readonly [string, string] => [name, nameOf(value)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return isReversed === true ? found.reverse() : found;
}

function nameOf(key: Buffer): string {
  return key.toString('hex');
}
