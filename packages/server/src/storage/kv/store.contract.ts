import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { type KvRange, type KvStore, keyAfter, MAX_KEY_BYTES, prefixRange } from './store.ts';

const byteKeys = fc.uint8Array({ minLength: 1, maxLength: 3, max: 3 }).map((bytes) => Buffer.from(bytes));

/** Declares the contract tests that every key-value store must pass. `open` creates an empty store. */
export function kvStoreContract(name: string, open: () => KvStore): void {
  describe(`kv store contract: ${name}`, () => {
    const opened: KvStore[] = [];
    const openStore = (): KvStore => {
      const store = open();
      opened.push(store);
      return store;
    };
    afterEach(() => {
      for (const store of opened.splice(0)) store[Symbol.dispose]();
    });

    test('[K1] a pair is found under its key, in its table only', () => {
      const store = openStore();
      store.transact((tx) => tx.put('tree', text('a'), text('1')));
      expect(store.read((tx) => tx.find('tree', text('a'))?.toString())).toBe('1');
      expect(store.read((tx) => tx.find('index', text('a')))).toBeUndefined();
    });

    test('[K1] a reader receives its own copy of a value', () => {
      const store = openStore();
      store.transact((tx) => tx.put('tree', text('a'), text('1')));
      store.read((tx) => tx.find('tree', text('a'))?.fill(0));
      const first = store.read((tx) => tx.find('tree', text('a')));
      store.transact((tx) => tx.put('tree', text('a'), text('2')));
      expect(first?.toString()).toBe('1');
    });

    test('[K1] the caller may overwrite the buffers of a written pair', () => {
      const store = openStore();
      const memory = { key: text('a'), value: text('1') };
      const overwrite = (value: string): void => {
        memory.key.fill('b');
        memory.value.fill(value);
      };
      store.transact((tx) => {
        tx.put('tree', memory.key, memory.value);
        overwrite('2');
        tx.put('tree', memory.key, memory.value);
        overwrite('3');
      });
      expect(store.read((tx) => [...tx.scan('tree', {})].map(({ key, value }) => `${key}${value}`))).toEqual([
        'a1',
        'b2',
      ]);
      const failing = (): void =>
        store.transact((tx) => {
          memory.key.fill('a');
          tx.put('tree', memory.key, memory.value);
          overwrite('4');
          throw new Error('on purpose');
        });
      expect(failing).toThrow('on purpose');
      expect(store.read((tx) => tx.find('tree', text('a'))?.toString())).toBe('1');
    });

    test('[K2] a transaction reads its own writes, and later transactions read them too', () => {
      const store = openStore();
      store.transact((tx) => {
        tx.put('tree', text('a'), text('1'));
        tx.put('tree', text('a'), text('2'));
        expect(tx.find('tree', text('a'))?.toString()).toBe('2');
        expect(tx.remove('tree', text('a'))).toBe(true);
        expect(tx.remove('tree', text('a'))).toBe(false);
        expect(tx.find('tree', text('a'))).toBeUndefined();
        tx.put('tree', text('a'), text('3'));
      });
      expect(store.read((tx) => tx.find('tree', text('a'))?.toString())).toBe('3');
    });

    test('[K3] a body that throws leaves no trace', () => {
      const store = openStore();
      store.transact((tx) => tx.put('tree', text('a'), text('1')));
      const failing = (): void =>
        store.transact((tx) => {
          tx.put('tree', text('a'), text('2'));
          tx.put('tree', text('b'), text('2'));
          tx.remove('tree', text('a'));
          throw new Error('on purpose');
        });
      expect(failing).toThrow('on purpose');
      expect(keysOf(store, {})).toEqual([text('a')]);
      expect(store.read((tx) => tx.find('tree', text('a'))?.toString())).toBe('1');
    });

    test('[K4] keys up to the limit and values of many pages are stored', () => {
      const store = openStore();
      const key = Buffer.alloc(MAX_KEY_BYTES, 7);
      const value = Buffer.alloc(3_000_000, 9);
      store.transact((tx) => {
        tx.put('tree', key, value);
        tx.put('tree', text('empty'), Buffer.alloc(0));
      });
      expect(store.read((tx) => tx.find('tree', key)?.equals(value))).toBe(true);
      expect(store.read((tx) => tx.find('tree', text('empty'))?.length)).toBe(0);
      expect(store.read((tx) => [...tx.scan('tree', {})].map((entry) => entry.value.length))).toEqual([
        3_000_000, 0,
      ]);
    });

    test('[K5] a scan yields the pairs of its range in byte order, or in reverse', () => {
      const bound = fc.option(byteKeys, { nil: undefined });
      fc.assert(
        fc.property(fc.array(byteKeys), bound, bound, fc.boolean(), (keys, lower, upper, isReversed) => {
          using store = open();
          store.transact((tx) => {
            for (const key of keys) tx.put('tree', key, key);
          });
          const range = { ...(lower && { lower }), ...(upper && { upper }), isReversed };
          const unique = [...new Map(keys.map((key) => [key.toString('hex'), key])).values()];
          const expected = unique
            .filter((key) => (!lower || key.compare(lower) >= 0) && (!upper || key.compare(upper) < 0))
            .sort((a, b) => (isReversed ? b.compare(a) : a.compare(b)));
          expect(keysOf(store, range)).toEqual(expected);
        }),
        { numRuns: 30 },
      );
    });

    test.each([
      [{}, 100, 100],
      [{}, 101, 100],
      [{}, 99, 99],
      [{}, 1, 1],
      [{ lower: text('00010'), upper: text('00020') }, 50, 10],
      [{ lower: text('00010'), upper: text('00020') }, 10, 10],
      [{ lower: text('00010'), upper: text('00020') }, 5, 5],
      [{ lower: text('1') }, 50, 0],
      [{ lower: text('00020'), upper: text('00010') }, 50, 0],
    ])('[K171] the count of the pairs in %j with the limit %d is %d', (range, limit, expected) => {
      const store = openStore();
      store.transact((tx) => {
        for (let index = 0; index < 100; index += 1)
          tx.put('tree', text(String(index).padStart(5, '0')), Buffer.alloc(index * 50));
        tx.put('index', text('00011a'), text(''));
        expect(tx.count('tree', range, limit)).toBe(expected);
      });
      expect(store.read((tx) => tx.count('tree', range, limit))).toBe(expected);
    });

    test.each([false, true])('[K5] a long scan yields every pair (reversed: %s)', (isReversed) => {
      const store = openStore();
      const keys = Array.from({ length: 3000 }, (_, index) => text(String(index).padStart(5, '0')));
      store.transact((tx) => {
        for (const key of keys) tx.put('tree', key, Buffer.alloc(300));
      });
      expect(keysOf(store, { isReversed })).toEqual(isReversed ? [...keys].reverse() : keys);
    });

    test.each([false, true])(
      '[K108] a pair of a scan with isPassing is valid until the next pair (reversed: %s)',
      (isReversed) => {
        const store = openStore();
        const keys = Array.from({ length: 400 }, (_, index) => text(String(index).padStart(5, '0')));
        store.transact((tx) => {
          for (const [index, key] of keys.entries()) tx.put('tree', key, Buffer.alloc(index * 11, key));
        });
        const seen = store.read((tx) => {
          const found: string[] = [];
          for (const { key, value } of tx.scan('tree', { isReversed, isPassing: true })) {
            expect(value.equals(Buffer.alloc(Number(key.toString()) * 11, key))).toBe(true);
            found.push(key.toString());
          }
          return found;
        });
        const expected = keys.map(String);
        expect(seen).toEqual(isReversed ? expected.toReversed() : expected);
      },
    );

    test('[K6] the caller may remove the pairs behind a scan while it runs', () => {
      const store = openStore();
      const keys = Array.from({ length: 200 }, (_, index) => text(String(index).padStart(5, '0')));
      const seen = store.transact((tx) => {
        for (const key of keys) tx.put('tree', key, key);
        const found: Buffer[] = [];
        for (const { key } of tx.scan('tree', {})) {
          found.push(key);
          tx.remove('tree', key);
        }
        return found;
      });
      expect(seen).toEqual(keys);
      expect(keysOf(store, {})).toEqual([]);
    });

    test('[K6] a scan may stop at any pair', () => {
      const store = openStore();
      store.transact((tx) => {
        for (let index = 0; index < 100; index += 1) tx.put('tree', text(`k${index}`), text('v'));
      });
      for (let round = 0; round < 300; round += 1) {
        const first = store.read((tx) => {
          for (const { key } of tx.scan('tree', { isReversed: true })) return key.toString();
          return undefined;
        });
        expect(first).toBe('k99');
      }
      store.transact((tx) => tx.put('tree', text('l'), text('v')));
      expect(keysOf(store, { isReversed: true })[0]).toEqual(text('l'));
    });

    test('[K5] keyAfter converts between inclusive and exclusive bounds, and prefixRange returns the range of a prefix', () => {
      const store = openStore();
      store.transact((tx) => {
        for (const key of ['a', 'b', 'ba', 'bz', 'c']) tx.put('tree', text(key), text(key));
        tx.put('tree', Buffer.from([0xff, 0xff]), text('last'));
      });
      const names = (range: KvRange): readonly string[] =>
        keysOf(store, range).map((key) => key.toString('latin1'));
      expect(names({ lower: keyAfter(text('b')), upper: keyAfter(text('c')) })).toEqual(['ba', 'bz', 'c']);
      expect(names(prefixRange(text('b')))).toEqual(['b', 'ba', 'bz']);
      expect(names(prefixRange(Buffer.from([0xff])))).toEqual(['\xff\xff']);
    });
  });
}

function text(value: string): Buffer {
  return Buffer.from(value);
}

function keysOf(store: KvStore, range: KvRange): readonly Buffer[] {
  return store.read((tx) => [...tx.scan('tree', range)].map(({ key }) => key));
}
