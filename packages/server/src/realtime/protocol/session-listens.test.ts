import { parseNamedQuery } from '@hearth/core/query/fields.ts';
import { parseKey } from '@hearth/core/tree/key.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import type { ByteHolder } from '../../platform/held-bytes.ts';
import { createLogger } from '../../platform/logger.ts';
import { openTestPool } from '../../platform/pools.fixture.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { Receiver } from '../../storage/transaction/transaction.ts';
import { ListenRegistry } from '../database/listens.ts';
import { SessionListens } from './session-listens.ts';

const HOLDER: ByteHolder = { network: '192.0.2.1', evict: () => undefined };

const receiver: Receiver = { deliver: () => undefined, end: () => undefined };

function openScheduler(): TransactionScheduler {
  const log = new EmbeddedLog({ store: new MemoryStore() });
  const clock = { nowMs: () => 1000, elapsedMs: () => 0 };
  return new TransactionScheduler({ log, clock, logger: createLogger('silent', { write: () => undefined }) });
}

const OVERLOAD = expect.objectContaining({ code: 'request/overload' });

test('[W126] a session can have 50,000 listens, and can replace one of them', async () => {
  await openScheduler().request((transaction) => {
    const listens = new SessionListens(new ListenRegistry(), receiver, HOLDER, openTestPool());
    const { query, text } = parseNamedQuery({ i: '.key' });
    for (let tag = 0; tag < 49_999; tag++)
      listens.addQuery(transaction, parsePath('a'), query, text, tag, null);
    listens.requireCapacity(parsePath('b'));
    listens.addDefault(transaction, parsePath('b'));
    expect(() => listens.requireCapacity(parsePath('c'))).toThrow(OVERLOAD);
    expect(() => listens.requireCapacity(parsePath('a'), text, 50_000)).toThrow(OVERLOAD);
    listens.requireCapacity(parsePath('b'));
    listens.requireCapacity(parsePath('a'), text, 7);
    listens.clear();
    listens.requireCapacity(parsePath('c'));
  });
});

test('[W126] the paths and queries of a session can have 32 Mi UTF-16 code units in total', async () => {
  await openScheduler().request((transaction) => {
    const listens = new SessionListens(new ListenRegistry(), receiver, HOLDER, openTestPool());
    const { query, text } = parseNamedQuery({ sp: 'x'.repeat(60_000) });
    const path = parsePath('a');
    let tag = 0;
    for (; (tag + 1) * (text.length + 1) <= 32 * 2 ** 20; tag++) {
      listens.requireCapacity(path, text, tag);
      listens.addQuery(transaction, path, query, text, tag, null);
    }
    expect(() => listens.requireCapacity(path, text, tag)).toThrow(OVERLOAD);
    listens.requireCapacity(path, text, 0);
    const first = listens.findQuery(0);
    if (first !== undefined) listens.remove(transaction, first);
    listens.requireCapacity(path, text, tag);
  });
});

test('[H548] listens take memory for each level, their text and the entries of their window', async () => {
  await openScheduler().request((transaction) => {
    const pool = openTestPool();
    const listens = new SessionListens(new ListenRegistry(), receiver, HOLDER, pool);
    const deep = parsePath(Array.from({ length: 32 }, (_, level) => `k${level}`).join('/'));
    listens.addDefault(transaction, deep);
    const ofPath = pool.usage.used;
    expect(ofPath).toBeGreaterThan(4_000);
    const { query, text } = parseNamedQuery({ l: 1_000, vf: 'l' });
    const entries = Array.from({ length: 1_000 }, (_, index) => ({
      key: parseKey(`k${index}`),
      value: null,
    }));
    listens.addQuery(transaction, parsePath('a'), query, text, 1, entries);
    expect(pool.usage.used - ofPath).toBeGreaterThan(100_000);
    listens.clear();
    expect(pool.usage.used).toBe(0);
  });
});

test('[H548] a listen beyond the memory limit is rejected, and listens of another network end the session that holds the most', async () => {
  await openScheduler().request((transaction) => {
    const pool = openTestPool(20_000);
    let evictions = 0;
    const registry = new ListenRegistry();
    const heavy: SessionListens = new SessionListens(
      registry,
      receiver,
      { network: 'n1', evict: () => void evictions++ },
      pool,
    );
    const paths = Array.from({ length: 100 }, (_, index) => parsePath(`k${index}`));
    let count = 0;
    expect(() => {
      for (const path of paths) {
        heavy.requireCapacity(path);
        heavy.addDefault(transaction, path);
        count += 1;
      }
    }).toThrow(OVERLOAD);
    expect([count > 20, count < 100, evictions]).toEqual([true, true, 0]);
    const other = new SessionListens(registry, receiver, { ...HOLDER, network: 'n2' }, pool);
    for (const path of paths.slice(0, 10)) {
      other.requireCapacity(path);
      other.addDefault(transaction, path);
    }
    expect(evictions).toBe(1);
  });
});

test('[W126] a listen that replaces another takes the memory of the other', async () => {
  await openScheduler().request((transaction) => {
    const { query, text } = parseNamedQuery({ sp: 'x'.repeat(60_000) });
    const listens = new SessionListens(new ListenRegistry(), receiver, HOLDER, openTestPool(3 * text.length));
    const path = parsePath('a');
    listens.requireCapacity(path, text, 1);
    listens.addQuery(transaction, path, query, text, 1, null);
    expect(() => listens.requireCapacity(path, text, 2)).toThrow(OVERLOAD);
    listens.requireCapacity(path, text, 1);
  });
});

test('[W126] a query of a session is found among those of other sessions', async () => {
  await openScheduler().request((transaction) => {
    const registry = new ListenRegistry();
    const { query, text } = parseNamedQuery({ i: '.key' });
    const path = parsePath('a');
    const [first, second] = [receiver, { ...receiver }].map(
      (each) => new SessionListens(registry, each, HOLDER, openTestPool()),
    );
    first?.addQuery(transaction, path, query, text, 1, null);
    second?.addQuery(transaction, path, query, text, 7, null);
    expect(second?.findQueryAt(path, text)).toBe(second?.findQuery(7));
    expect(second?.findQueryAt(parsePath('b'), text)).toBeUndefined();
    expect(second?.findQueryAt(path, '{}')).toBeUndefined();
  });
});
