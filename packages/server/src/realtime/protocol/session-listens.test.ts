import { parseNamedQuery } from '@hearth/core/query/fields.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import type { Receiver } from '../../storage/transaction/transaction.ts';
import { ListenRegistry } from '../database/listens.ts';
import { SessionListens } from './session-listens.ts';

const receiver: Receiver = { deliver: () => undefined, end: () => undefined };

function openScheduler(): TransactionScheduler {
  const log = new EmbeddedLog({ store: new MemoryStore() });
  const clock = { nowMs: () => 1000, elapsedMs: () => 0 };
  return new TransactionScheduler({ log, clock, logger: createLogger('silent', { write: () => undefined }) });
}

const OVERLOAD = expect.objectContaining({ code: 'request/overload' });

test('[W126] a session can have 50,000 listens, and can replace one of them', async () => {
  await openScheduler().request((transaction) => {
    const listens = new SessionListens(new ListenRegistry(), receiver);
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

test('[W126] its paths and queries can have 32 Mi UTF-16 code units in total', async () => {
  await openScheduler().request((transaction) => {
    const listens = new SessionListens(new ListenRegistry(), receiver);
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
