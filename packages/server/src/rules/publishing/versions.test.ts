import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryStore } from '../../storage/kv/memory.ts';
import type { KvWrite } from '../../storage/kv/store.ts';
import {
  addVersion,
  findLatestVersion,
  findVersion,
  findVersionSource,
  listVersions,
  MAX_RULE_VERSIONS,
} from './versions.ts';

function publish(tx: KvWrite, database: string, source: string): number {
  const author = { kind: 'user', uid: 'ada' } as const;
  const { id } = addVersion(tx, database, source, { timeMs: 5, author, message: 'why', rolledBackTo: null });
  tx.put('meta', Buffer.from(`rules/${database}`), Buffer.from(source));
  return id;
}

test('[R140][R142] versions have ascending ids, and the latest 100 are stored', () => {
  using store = new MemoryStore();
  store.transact((tx) => {
    expect(findLatestVersion(tx, 'db')).toBeUndefined();
    expect(listVersions(tx, 'db', null, 10)).toEqual([]);
    for (let id = 1; id <= MAX_RULE_VERSIONS + 3; id++) expect(publish(tx, 'db', `ä${id}`)).toBe(id);
    expect(publish(tx, 'db2', 'other')).toBe(1);
    const author = { kind: 'user', uid: 'ada' };
    const latest = { id: 103, timeMs: 5, author, bytes: 5, message: 'why', rolledBackTo: null };
    expect(findLatestVersion(tx, 'db')).toEqual(latest);
    expect(findVersion(tx, 'db', 103)).toEqual(latest);
    expect(findVersionSource(tx, 'db', 103)).toBe('ä103');
    expect(findVersionSource(tx, 'db', 4)).toBe('ä4');
    for (const id of [0, 3, 104]) {
      expect(findVersion(tx, 'db', id)).toBeUndefined();
      expect(findVersionSource(tx, 'db', id)).toBeUndefined();
    }
    const stored = [...tx.scan('meta', {})].map(({ key }) => key.toString());
    expect(stored.filter((key) => key.startsWith('rule-source/db/'))).toHaveLength(MAX_RULE_VERSIONS);
  });
});

test('[R140] versions are listed in pages, newest first', () => {
  using store = new MemoryStore();
  store.transact((tx) => {
    for (let id = 1; id <= 30; id++) publish(tx, 'db', String(id));
    publish(tx, 'db-2', '');
    fc.assert(
      fc.property(fc.option(fc.nat({ max: 40 })), fc.integer({ min: 1, max: 40 }), (before, limit) => {
        const newest = Math.min(30, (before ?? 31) - 1);
        const ids = Array.from({ length: Math.max(0, Math.min(limit, newest)) }, (_, at) => newest - at);
        expect(listVersions(tx, 'db', before, limit).map(({ id }) => id)).toEqual(ids);
      }),
    );
  });
});

test('[R147] rules published before versions were stored are version 1', () => {
  using store = new MemoryStore();
  store.transact((tx) => {
    tx.put('meta', Buffer.from('rules/db'), Buffer.from('old'));
    const first = {
      id: 1,
      timeMs: null,
      author: { kind: 'unknown' },
      bytes: 3,
      message: null,
      rolledBackTo: null,
    };
    const expectFirst = (): void => {
      expect(findVersion(tx, 'db', 1)).toEqual(first);
      expect(findVersionSource(tx, 'db', 1)).toBe('old');
      expect(listVersions(tx, 'db', 2, 5)).toEqual([first]);
      expect(listVersions(tx, 'db', 1, 5)).toEqual([]);
    };
    expect(findLatestVersion(tx, 'db')).toEqual(first);
    expect(findVersion(tx, 'db', 2)).toBeUndefined();
    expectFirst();
    expect(publish(tx, 'db', 'new')).toBe(2);
    expectFirst();
    expect(listVersions(tx, 'db', null, 5).map(({ id }) => id)).toEqual([2, 1]);
  });
});
