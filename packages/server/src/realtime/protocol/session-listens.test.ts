import { parseNamedQuery } from '@hearth/core/query/fields.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import { Committer } from '../../storage/transaction/scheduler.ts';
import type { Receiver } from '../../storage/transaction/transaction.ts';
import { ListenRegistry } from '../database/listens.ts';
import { SessionListens } from './session-listens.ts';

const receiver: Receiver = { deliver: () => undefined, end: () => undefined };

function openCommitter(): Committer {
  const log = new EmbeddedLog({ store: new MemoryStore() });
  const clock = { nowMs: () => 1000, elapsedMs: () => 0 };
  return new Committer({ log, clock, logger: createLogger('silent', { write: () => undefined }) });
}

const OVERLOAD = expect.objectContaining({ code: 'request/overload' });

test('[W126] a session listens to 50,000 places, and may replace what it listens to', async () => {
  await openCommitter().request((turn) => {
    const listens = new SessionListens(new ListenRegistry(), receiver);
    const { query, text } = parseNamedQuery({ i: '.key' });
    for (let tag = 0; tag < 49_999; tag++) listens.addQuery(turn, parsePath('a'), query, text, tag, null);
    listens.mustHaveRoom(parsePath('b'));
    listens.addDefault(turn, parsePath('b'));
    expect(() => listens.mustHaveRoom(parsePath('c'))).toThrow(OVERLOAD);
    expect(() => listens.mustHaveRoom(parsePath('a'), text, 50_000)).toThrow(OVERLOAD);
    listens.mustHaveRoom(parsePath('b'));
    listens.mustHaveRoom(parsePath('a'), text, 7);
    listens.clear();
    listens.mustHaveRoom(parsePath('c'));
  });
});

test('[W126] its paths and queries may take 32 Mi units together', async () => {
  await openCommitter().request((turn) => {
    const listens = new SessionListens(new ListenRegistry(), receiver);
    const { query, text } = parseNamedQuery({ sp: 'x'.repeat(60_000) });
    const path = parsePath('a');
    let tag = 0;
    for (; (tag + 1) * (text.length + 1) <= 32 * 2 ** 20; tag++) {
      listens.mustHaveRoom(path, text, tag);
      listens.addQuery(turn, path, query, text, tag, null);
    }
    expect(() => listens.mustHaveRoom(path, text, tag)).toThrow(OVERLOAD);
    listens.mustHaveRoom(path, text, 0);
    const first = listens.findQuery(0);
    if (first !== undefined) listens.remove(turn, first);
    listens.mustHaveRoom(path, text, tag);
  });
});
