import type { RuleView } from '@hearth/core/rules/evaluate/values.ts';
import { NodeTree } from '@hearth/core/rules/evaluate/views.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AuthorizationRequest } from '../../access/authorization-request.ts';
import { createLogger } from '../../platform/logger.ts';
import type { KvStore } from '../../storage/kv/store.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import { readRequest, roomRules, writeRequest } from './authorization-request.fixture.ts';
import { DenialLog } from './log.ts';
import { listLoggedDatabases, readDenialTotals } from './table.ts';

const RULES = roomRules({
  '.read': "data.child('owner').val() == auth.uid",
  '.write': false,
});
const DATA = '{"rooms":{"r1":{"owner":"alice"}}}';
const READ = readRequest(RULES, '/rooms/r1', DATA);
const WRITE = writeRequest(RULES, { '/rooms/r2/title': '"x"' }, DATA);
const ALL = { before: Number.MAX_SAFE_INTEGER, limit: 1_000 };
const DAY_MS = 86_400_000;

/** Declares the contract tests for a denial log on any store. */
export function denialLogContract(name: string, open: () => KvStore): void {
  describe(`denial log on the store: ${name}`, () => {
    let store: KvStore;
    let scheduler: TransactionScheduler;
    let log: DenialLog;
    let nowMs: number;
    let elapsedMs: number;
    let errors: string[];

    let isStored: (database: string) => boolean;

    const openLog = (): DenialLog => {
      const clock = { nowMs: () => nowMs, elapsedMs: () => elapsedMs };
      const logger = createLogger('error', { write: (line) => errors.push(line) });
      scheduler = new TransactionScheduler({ log: new EmbeddedLog({ store }), clock, logger });
      const options = { store, scheduler, clock, logger };
      return new DenialLog({ ...options, isStored: (_tx, database) => isStored(database) });
    };

    beforeEach(() => {
      store = open();
      nowMs = 1_700_000_000_000;
      elapsedMs = 0;
      errors = [];
      isStored = () => true;
      log = openLog();
    });

    afterEach(async () => {
      await log.close();
      await scheduler.drain();
      store[Symbol.dispose]();
      expect(errors).toEqual([]);
    });

    /** Denies an operation `count` times in one transaction. Returns how many of the denials should be stored. */
    function deny(request: AuthorizationRequest, count = 1, database = 'db'): Promise<number> {
      return scheduler.request((transaction) => {
        let kept = 0;
        for (let i = 0; i < count; i++) {
          if (!log.shouldKeep(transaction, database, request.networkOf)) continue;
          log.keep(transaction, database, request);
          kept++;
        }
        return kept;
      });
    }

    async function ids(search: Parameters<DenialLog['search']>[1] = ALL): Promise<readonly number[]> {
      return (await log.search('db', search)).denials.map(({ id }) => id);
    }

    test('[R160][R161] the denials of each database are listed separately, latest first', async () => {
      await deny(READ);
      await deny(WRITE, 2);
      await deny(WRITE, 1, 'other');
      const { denials, sampledOut } = await log.search('db', ALL);
      expect(denials.map(({ id, operation, paths }) => [id, operation, paths])).toEqual([
        [3, 'put', ['/rooms/r2/title']],
        [2, 'put', ['/rooms/r2/title']],
        [1, 'get', ['/rooms/r1']],
      ]);
      expect(denials[2]?.rule).toMatchObject({ kind: 'read', location: '/rooms/$id', place: '/rooms/r1' });
      expect(sampledOut).toBe(0);
      expect((await log.search('other', ALL)).denials).toHaveLength(1);
      expect((await log.search('empty', ALL)).denials).toEqual([]);
    });

    test('[R161] denials are searched by page, path, and location of the rule', async () => {
      await deny(READ, 150);
      await deny(WRITE, 150);
      expect(await ids({ ...ALL, limit: 2 })).toEqual([300, 299]);
      expect(await ids({ ...ALL, limit: 2, before: 299 })).toEqual([298, 297]);
      expect(await ids({ ...ALL, limit: 2, path: '/rooms/r1' })).toEqual([150, 149]);
      expect(await ids({ ...ALL, path: '/rooms/r' })).toEqual([]);
      expect(await ids({ ...ALL, path: '/' })).toHaveLength(300);
      expect(await ids({ ...ALL, path: '/rooms/r2', rule: '/rooms/$id' })).toHaveLength(150);
      expect(await ids({ ...ALL, rule: '/rooms' })).toEqual([]);
      expect(await ids({ ...ALL, uid: 'u1' })).toHaveLength(300);
      expect(await ids({ ...ALL, uid: '' })).toEqual([]);
      expect(await ids({ ...ALL, rule: '' })).toEqual([]);
    });

    test('[R160] stored denials survive a restart, and ids continue', async () => {
      await deny(READ);
      await log.close();
      log = openLog();
      await deny(READ);
      expect(await ids()).toEqual([2, 1]);
    });

    test('[R163] an entry can be evaluated again', async () => {
      await deny(READ);
      expect((await log.find('db', 1)).rules).toHaveLength(1);
      expect(await log.evaluate('db', 1)).toMatchObject({ isAllowed: false, basis: 'outcomes' });
      await expect(log.evaluate('db', 1, RULES)).rejects.toThrow('Set keepValues');
      await expect(log.evaluate('db', 1, '{')).rejects.toThrow('Parse error');
      await expect(log.evaluate('db', 2)).rejects.toThrow('The denial is not in the log');
    });

    test('[R171] an entry with values can be evaluated with other rules', async () => {
      await log.changeSettings('db', { keepValues: true });
      await deny(READ);
      const open = roomRules({ '.read': "data.child('owner').val() == 'alice'" });
      expect(await log.evaluate('db', 1, open)).toMatchObject({ isAllowed: true, missing: [] });
    });

    test('[R164] without keepValues, no value of data is in the store', async () => {
      await deny(READ);
      await log.flush();
      const bytes = store.read((tx) => Array.from(tx.scan('denials', {}), ({ value }) => value.toString()));
      expect(bytes).toHaveLength(1);
      expect(bytes[0]).not.toContain('alice');
      expect(bytes[0]).toContain('rooms');
    });

    test('[R166] of a flood, 1,000 denials and then 200 a second are stored, and the others are counted', async () => {
      expect(await deny(READ, 3_000)).toBe(1_000);
      elapsedMs += 500;
      expect(await deny(READ, 3_000)).toBe(100);
      const { denials, sampledOut } = await log.search('db', { ...ALL, limit: 10_000 });
      expect(denials).toHaveLength(1_100);
      expect(sampledOut).toBe(4_900);
    });

    /** Returns a read of a network, whose rules take a millisecond for each value that they read. */
    function slowRead(network: string): AuthorizationRequest {
      const { operation } = READ;
      if (operation.kind !== 'read') return READ;
      const { tree } = operation.read;
      const slow: RuleView = {
        findValue: (path) => {
          elapsedMs += 1;
          return tree.findValue(path);
        },
        findPriority: (path) => tree.findPriority(path),
      };
      const read = { ...operation.read, tree: slow };
      return { ...READ, operation: { kind: 'read', read }, networkOf: () => network };
    }

    test('[R166] explanations take at most 250 ms in a burst and then a twentieth of the time, however slow the rules', async () => {
      for (let site = 0; site < 10; site++) await deny(slowRead(`198.51.${site}.1`), 90);
      expect(elapsedMs).toBeGreaterThan(250);
      expect(elapsedMs).toBeLessThan(300);
      const before = elapsedMs + 1_000;
      elapsedMs = before;
      await deny(slowRead('198.51.99.1'), 90);
      expect(elapsedMs - before).toBeLessThan(60);
      const { denials, sampledOut } = await log.search('db', { ...ALL, limit: 1_000 });
      expect(denials.length + sampledOut).toBe(990);
    });

    test('[R166] the clients of one neighborhood get half of the time for explanations, so that denials of others are stored too', async () => {
      for (let host = 0; host < 50; host++) await deny(slowRead(`192.0.2.${host}`), 10);
      expect(elapsedMs).toBeGreaterThan(125);
      expect(elapsedMs).toBeLessThan(160);
      expect(await deny(slowRead('198.51.100.1'), 5)).toBe(5);
    });

    test('[R166] all databases together have a rate limit too', async () => {
      let kept = 0;
      for (const name of ['a', 'b', 'c', 'd']) kept += await deny(READ, 1_000, name);
      expect(kept).toBe(2_000);
    });

    test('[R167] the oldest entries are removed when there are too many', async () => {
      await log.changeSettings('db', { keep: 5 });
      await deny(READ, 12);
      expect(await ids()).toEqual([12, 11, 10, 9, 8]);
      await deny(READ);
      expect(await ids()).toEqual([13, 12, 11, 10, 9]);
      await log.changeSettings('db', { keep: 2 });
      expect(await ids()).toEqual([13, 12]);
      expect(store.read((tx) => Array.from(tx.scan('denials', {})))).toHaveLength(2);
    });

    test('[R167] a lower limit also applies to a log that is far longer', async () => {
      await deny(READ, 1_000);
      elapsedMs += 60_000;
      await deny(READ, 1_000);
      await log.changeSettings('db', { keep: 1 });
      expect(await ids()).toEqual([2_000]);
      expect(store.read((tx) => Array.from(tx.scan('denials', {})))).toHaveLength(1);
    });

    test('[R167] entries that are too old are not shown, and are removed with the next entry', async () => {
      await deny({ ...READ, operation: at(READ, nowMs) });
      nowMs += 7 * DAY_MS + 1;
      expect(await ids()).toEqual([]);
      await expect(log.find('db', 1)).rejects.toThrow('The denial is not in the log');
      await deny({ ...READ, operation: at(READ, nowMs) });
      expect(await ids()).toEqual([2]);
      expect(store.read((tx) => Array.from(tx.scan('denials', {})))).toHaveLength(1);
    });

    test('[R288] a sweep removes the entries that are too old from all logs', async () => {
      await deny(WRITE, 3);
      await deny(WRITE, 2, 'other');
      await log.flush();
      nowMs += 8 * DAY_MS;
      log.sweep();
      await log.flush();
      for (const database of ['db', 'other'])
        expect(store.read((tx) => readDenialTotals(tx, database))).toMatchObject({ count: 0, bytes: 0 });
    });

    test('[R288] denials of databases that belong to no project are neither stored nor counted', async () => {
      isStored = (database) => database === 'db';
      expect(await deny(WRITE, 5, 'unknown')).toBe(0);
      expect(await deny(WRITE, 1)).toBe(1);
      await log.flush();
      expect(store.read((tx) => readDenialTotals(tx, 'unknown'))).toMatchObject({ nextId: 1, sampledOut: 0 });
    });

    test('[R288] a sweep removes the log of a database that belongs to no project', async () => {
      await deny(WRITE, 5);
      await log.flush();
      isStored = () => false;
      log.sweep();
      await log.flush();
      expect(store.read(listLoggedDatabases)).toEqual([]);
      expect(store.read((tx) => [...tx.scan('denials', {})])).toEqual([]);
    });

    test('[R168] a log that is switched off stores nothing and counts nothing', async () => {
      expect(log.readSettings('db')).toEqual({ isOn: true, keep: 10_000, days: 7, keepValues: false });
      await log.changeSettings('db', { isOn: false });
      expect(await deny(READ, 10)).toBe(0);
      expect(await log.search('db', ALL)).toEqual({ denials: [], sampledOut: 0 });
      await log.close();
      log = openLog();
      expect(log.readSettings('db').isOn).toBe(false);
    });

    test('[R169] denials of a transaction that fails are not stored', async () => {
      await expect(
        scheduler.request((transaction) => {
          log.shouldKeep(transaction, 'db');
          log.keep(transaction, 'db', READ);
          throw new Error('a bug');
        }),
      ).rejects.toThrow('Internal server error');
      expect(await log.search('db', ALL)).toEqual({ denials: [], sampledOut: 0 });
      expect(errors.splice(0)).toHaveLength(1);
    });

    test('[R172] a denial that cannot be explained is counted', async () => {
      // Reading the tree of the decision throws.
      expect(await deny(requestOn(READ, new UnreadableTree()))).toBe(1);
      expect(await log.search('db', ALL)).toEqual({ denials: [], sampledOut: 1 });
      expect(errors.splice(0)).toHaveLength(1);
    });
  });
}

class UnreadableTree extends NodeTree {
  constructor() {
    super(null);
  }

  override findValue(): never {
    throw new Error('unreadable');
  }
}

function requestOn(request: AuthorizationRequest, tree: NodeTree): AuthorizationRequest {
  const { operation } = request;
  return operation.kind === 'read'
    ? { ...request, operation: { kind: 'read', read: { ...operation.read, tree } } }
    : { ...request, operation: { kind: 'write', write: { ...operation.write, tree } } };
}

function at({ operation }: AuthorizationRequest, now: number): AuthorizationRequest['operation'] {
  return operation.kind === 'read'
    ? { kind: 'read', read: { ...operation.read, now } }
    : { kind: 'write', write: { ...operation.write, now } };
}
