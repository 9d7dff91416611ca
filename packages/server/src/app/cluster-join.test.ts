import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeEpoch } from '../cluster/body.ts';
import type { StopReason } from '../cluster/follower.ts';
import { encodeRecord, FIRST_HASH } from '../cluster/message.ts';
import { Choices } from '../cluster/model/choices.ts';
import { NO_FAULTS, SimulatedServers } from '../cluster/model/simulated-log.ts';
import { MemorySnapshots } from '../cluster/snapshots/memory-snapshots.fixture.ts';
import { systemTimers } from '../cluster/timers.ts';
import { systemClock } from '../platform/clock.ts';
import { createLogger } from '../platform/logger.ts';
import { LmdbStore } from '../storage/kv/lmdb.ts';
import { replaceStore } from './cluster-join.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-join-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const KEY = Buffer.from('key');
const FORKED: StopReason = { kind: 'forked', slot: 3 };
const TRIMMED: StopReason = { kind: 'trimmed', first: 30 };

/** Replaces a store over a log that has everything from the start. `identify` asks for the identity of the log. */
async function replace(
  reason: StopReason,
  identify: () => Promise<string | undefined>,
  signal = new AbortController().signal,
): Promise<void> {
  const timers = systemTimers(systemClock);
  const servers = new SimulatedServers(
    // The waits of the simulation are those of the real clock.
    Object.assign(Object.create(null), timers),
    new Choices(1),
    NO_FAULTS,
  );
  const [first] = encodeRecord(1, FIRST_HASH, encodeEpoch({ node: 'a', incarnation: '1' }));
  if (first !== undefined) servers.messages.push(first.bytes);
  const store = new LmdbStore({ directory });
  store.transact((tx): void => tx.put('tree', KEY, Buffer.from('before')));
  try {
    await replaceStore(reason, {
      log: servers.connect(),
      storage: new MemorySnapshots().connect(timers, new Choices(1)),
      timers: { ...timers, after: (_ms, action) => timers.after(1, action) },
      clock: systemClock,
      logger: createLogger('silent', { write: () => undefined }),
      directory,
      store,
      identity: 'own',
      identify,
      signal,
    });
  } finally {
    store[Symbol.dispose]();
  }
}

function readValue(): string | undefined {
  using store = new LmdbStore({ directory });
  return store.read((tx) => tx.find('tree', KEY)?.toString());
}

test('[D28] a node replaces its data when the servers say that the log is the same, and not before', async () => {
  let asked = 0;
  await replace(FORKED, async () => {
    asked += 1;
    if (asked < 4) throw new Error('no answer');
    return 'own';
  });
  expect(asked).toBe(4);
  expect(readValue()).toBeUndefined();
  expect(readdirSync(directory).filter((name) => name.startsWith('set-aside-'))).toHaveLength(1);
});

test.each([FORKED, TRIMMED])(
  '[D19] a log that is another one or gone replaces no data: %j',
  async (reason) => {
    for (const identity of ['other', undefined])
      await expect(replace(reason, () => Promise.resolve(identity))).rejects.toThrow(
        'not the one to which the data',
      );
    expect(readValue()).toBe('before');
  },
);

test('[D28] a node that is stopped while the servers do not answer keeps its data', async () => {
  const stopping = new AbortController();
  let asked = 0;
  const replacing = replace(
    FORKED,
    async () => {
      asked += 1;
      if (asked === 3) stopping.abort(new Error('stopping'));
      throw new Error('no answer');
    },
    stopping.signal,
  );
  await expect(replacing).rejects.toThrow('stopping');
  expect(readValue()).toBe('before');
});
