import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { BEFORE_PREFIX_BYTES } from './preimage.ts';
import { type KvSnapshot, SnapshotExpired } from './snapshot.ts';
import { snapshotHistories } from './snapshot-history.arbitrary.ts';
import { SnapshotModel } from './snapshot-model.fixture.ts';
import { MAX_IDLE_MS, type SnapshotOptions, SnapshotStore } from './snapshot-store.ts';
import { type KvRange, type KvRead, type KvStore, MAX_KEY_BYTES, PAUSE_ENTRY, type Table } from './store.ts';

/**
 * Declares the contract tests for snapshots, to be run with every kind of store. `open` creates an empty store.
 */
export function snapshotContract(name: string, open: () => KvStore, numRuns: number): void {
  describe(`snapshot contract: ${name}`, () => {
    const opened: KvStore[] = [];
    const openStore = (options: SnapshotOptions = {}): SnapshotStore => {
      const store = new SnapshotStore(open(), options);
      opened.push(store);
      return store;
    };
    afterEach(() => {
      for (const store of opened.splice(0)) store[Symbol.dispose]();
    });

    test('[K100][K101][K103] after any history, a snapshot equals a copy made when it was opened', () => {
      fc.assert(
        fc.property(snapshotHistories, (steps) => {
          using store = new SnapshotStore(open());
          const model = new SnapshotModel(store);
          for (const step of steps) model.run(step);
          model.closeAll();
          expect(recordCount(store)).toBe(0);
        }),
        { numRuns },
      );
    });

    test('[K100] a snapshot shows what its transaction wrote before it was opened, and no later writes', () => {
      const store = openStore();
      using snapshot = store.transact((tx) => {
        tx.put('tree', text('a'), text('1'));
        const opened = openOrThrow(store);
        tx.put('tree', text('a'), text('2'));
        tx.put('tree', text('b'), text('2'));
        expect(opened.find('tree', text('a'))?.toString()).toBe('1');
        return opened;
      });
      store.transact((tx) => tx.remove('tree', text('a')));
      expect(store.read(() => snapshot.find('tree', text('a'))?.toString())).toBe('1');
      expect(store.read(() => snapshot.find('tree', text('b')))).toBeUndefined();
      expect(store.read(() => keysOf(snapshot, 'tree'))).toEqual(['a']);
    });

    test.each([false, true])(
      '[K101] a scan continues at its position in later transactions (reversed: %s)',
      (isReversed) => {
        const store = openStore();
        const names = Array.from({ length: 2000 }, (_, index) => String(index).padStart(5, '0'));
        using snapshot = store.transact((tx) => {
          for (const key of names) tx.put('tree', text(key), text(key));
          return openOrThrow(store);
        });
        const scan = snapshot.scan('tree', { isReversed })[Symbol.iterator]();
        const seen: string[] = [];
        for (let round = 0; seen.length < names.length; round += 1) {
          store.transact((tx) => {
            for (let index = round % 7; index < names.length; index += 97) {
              tx.remove('tree', text(names[index] ?? ''));
              tx.put('tree', text(`${names[index]}x`), text('new'));
            }
          });
          store.read(() => {
            for (let count = 0; count < 150; count += 1) {
              const step = scan.next();
              if (step.done !== true) seen.push(step.value.value.toString());
            }
          });
        }
        expect(seen).toEqual(isReversed ? names.toReversed() : names);
      },
    );

    test.each([false, true])(
      '[K109] a scan pauses while it skips data written since the snapshot was opened (reversed: %s)',
      (isReversed) => {
        const store = openStore();
        const write = (name: string, count: number): void =>
          store.transact((tx) => {
            for (let index = 0; index < count; index += 1)
              tx.put('tree', text(`${name}${index}`), text(name));
          });
        write('b', 1);
        write('d', 1);
        using snapshot = openOrThrow(store);
        for (const name of ['a', 'c', 'e']) write(name, 1200);
        const scan = snapshot.scan('tree', { isReversed, isPausing: true })[Symbol.iterator]();
        const seen: string[] = [];
        for (let isDone = false; !isDone; )
          store.read(() => {
            const step = scan.next();
            isDone = step.done === true;
            if (step.done !== true) seen.push(step.value === PAUSE_ENTRY ? '' : step.value.key.toString());
          });
        const names = seen.filter((name) => name !== '');
        expect(names).toEqual(isReversed ? ['d0', 'b0'] : ['b0', 'd0']);
        expect(seen.length - names.length).toBeGreaterThanOrEqual(6);
        expect(store.read(() => keysOf(snapshot, 'tree'))).toEqual(['b0', 'd0']);
      },
    );

    test('[K102] preimages are saved only while a snapshot is open, and each is removed after the last snapshot that needs it is closed', () => {
      const store = openStore();
      const write = (value: string): void => store.transact((tx) => tx.put('tree', text('a'), text(value)));
      write('1');
      expect(recordCount(store)).toBe(0);
      const [first, second] = [openOrThrow(store), openOrThrow(store)];
      write('2');
      write('3');
      expect(recordCount(store)).toBe(1);
      const third = openOrThrow(store);
      write('4');
      first[Symbol.dispose]();
      expect(store.read(() => second.find('tree', text('a'))?.toString())).toBe('1');
      second[Symbol.dispose]();
      expect(store.transact((tx) => store.dropStep(tx, 10))).toBe(1);
      expect(store.read(() => third.find('tree', text('a'))?.toString())).toBe('3');
      third[Symbol.dispose]();
      write('5');
      expect(store.hasStale()).toBe(true);
      expect(store.transact((tx) => store.dropStep(tx, 10))).toBe(1);
      expect(recordCount(store)).toBe(0);
      expect(store.hasStale()).toBe(false);
    });

    test('[K102] stale preimages are removed in bounded steps, and whenever another preimage is saved', () => {
      const store = openStore();
      const writeAll = (): void =>
        store.transact((tx) => {
          for (let index = 0; index < 100; index += 1) tx.put('tree', text(`k${index}`), text('v'));
        });
      const first = openOrThrow(store);
      writeAll();
      first[Symbol.dispose]();
      expect(store.transact((tx) => store.dropStep(tx, 30))).toBe(30);
      using _second = openOrThrow(store);
      store.transact((tx) => {
        for (let index = 0; index < 40; index += 1) tx.put('tree', text(`k${index}`), text('w'));
      });
      expect(recordCount(store)).toBe(40);
    });

    test('[K103] if a transaction fails, a snapshot opened in it expires and its owner is notified', () => {
      const store = openStore();
      const kept: KvSnapshot[] = [];
      const reported: string[] = [];
      using older = openOrThrow(store);
      const failing = (): void =>
        store.transact((tx) => {
          tx.put('tree', text('a'), text('1'));
          const snapshot = store.openSnapshot({ onExpired: () => reported.push('gone') });
          if (snapshot !== undefined) kept.push(snapshot);
          tx.put('tree', text('a'), text('2'));
          throw new Error('on purpose');
        });
      expect(failing).toThrow('on purpose');
      expect(reported).toEqual(['gone']);
      expect(() => store.read(() => kept[0]?.find('tree', text('a')))).toThrow(SnapshotExpired);
      store.transact((tx) => tx.put('tree', text('a'), text('3')));
      expect(store.read(() => older.find('tree', text('a')))).toBeUndefined();
    });

    test('[K104] preimages of the longest data keys can be saved', () => {
      const store = openStore();
      const key = Buffer.alloc(MAX_KEY_BYTES - BEFORE_PREFIX_BYTES, 7);
      using snapshot = openOrThrow(store);
      store.transact((tx) => tx.put('index', key, text('1')));
      expect(store.read(() => snapshot.find('index', key))).toBeUndefined();
      expect(store.read(() => keysOf(snapshot, 'index'))).toEqual([]);
    });

    test('[K105] no snapshot can be opened above the maximum, until one is closed', () => {
      const store = openStore({ maxSnapshots: 2 });
      using first = openOrThrow(store);
      using _second = openOrThrow(store);
      expect(store.openSnapshot()).toBeUndefined();
      first[Symbol.dispose]();
      using third = store.openSnapshot();
      expect(third).toBeDefined();
    });

    test('[K105] another snapshot evicts the one that was idle for longest, if it was idle long enough', () => {
      const store = openStore({ maxSnapshots: 3 });
      const reported: string[] = [];
      const idleMs = { old: MAX_IDLE_MS - 1, older: MAX_IDLE_MS - 1 };
      using _busy = openOrThrow(store);
      using _old = openOrThrow(
        store,
        () => reported.push('old'),
        () => idleMs.old,
      );
      using older = openOrThrow(
        store,
        () => reported.push('older'),
        () => idleMs.older,
      );
      expect(store.openSnapshot()).toBeUndefined();
      idleMs.old += 1;
      idleMs.older += 2;
      using _next = openOrThrow(store);
      expect(reported).toEqual(['older']);
      expect(() => store.read(() => older.find('tree', text('a')))).toThrow(SnapshotExpired);
      using _last = openOrThrow(store);
      expect(reported).toEqual(['older', 'old']);
      expect(store.openSnapshot()).toBeUndefined();
    });

    test('[K106] above the maximum of saved data, the oldest snapshots are evicted and their owners notified', () => {
      const store = openStore({ maxBytes: 10_000 });
      const reported: string[] = [];
      const write = (index: number): void =>
        store.transact((tx) => tx.put('tree', text(`k${index}`), Buffer.alloc(1000, index)));
      for (let index = 0; index < 16; index += 1) write(index);
      using first = openOrThrow(store, () => reported.push('first'));
      for (let index = 0; index < 8; index += 1) write(index);
      using second = openOrThrow(store, () => reported.push('second'));
      const failing = (): void =>
        store.transact((tx) => {
          tx.put('tree', text('k8'), text('undone'));
          throw new Error('on purpose');
        });
      for (let round = 0; round < 20; round += 1) expect(failing).toThrow('on purpose');
      expect(reported).toEqual([]);
      for (let index = 8; index < 16; index += 1) write(index);
      expect(reported).toEqual(['first']);
      expect(() => store.read(() => first.find('tree', text('k0')))).toThrow(SnapshotExpired);
      expect(() => store.read(() => keysOf(first, 'tree'))).toThrow(SnapshotExpired);
      expect(store.read(() => keysOf(second, 'tree'))).toHaveLength(16);
    });

    test('[K107] preimages from before a crash are stale', () => {
      const inner = open();
      const crashed = new SnapshotStore(inner);
      openOrThrow(crashed);
      crashed.transact((tx) => tx.put('tree', text('a'), text('1')));
      const store = new SnapshotStore(inner);
      opened.push(store);
      using snapshot = openOrThrow(store);
      expect(store.read(() => snapshot.find('tree', text('a'))?.toString())).toBe('1');
      expect(store.transact((tx) => store.dropStep(tx, 10))).toBe(1);
      expect(recordCount(store)).toBe(0);
    });
  });
}

function openOrThrow(
  store: SnapshotStore,
  onExpired: () => void = () => undefined,
  idleMs: () => number = () => 0,
): KvSnapshot {
  const snapshot = store.openSnapshot({ onExpired, idleMs });
  if (snapshot === undefined) throw new Error('There are too many snapshots.');
  return snapshot;
}

function text(value: string): Buffer {
  return Buffer.from(value);
}

function keysOf(tx: KvRead, table: Table, range: KvRange = {}): readonly string[] {
  return [...tx.scan(table, range)].map(({ key }) => key.toString('latin1'));
}

function recordCount(store: KvStore): number {
  return store.read((tx) => keysOf(tx, 'before').length);
}
