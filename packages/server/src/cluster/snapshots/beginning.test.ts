import { expect, test } from 'vitest';
import { FIRST_POSITION } from '../chain.ts';
import { Choices } from '../model/choices.ts';
import { NO_FAULTS, SimulatedServers } from '../model/simulated-log.ts';
import { VirtualTime } from '../model/virtual-time.ts';
import { checkBeginning } from './beginning.ts';
import { MemorySnapshots } from './memory-snapshots.fixture.ts';
import { snapshotId } from './snapshot.ts';

/** Asks about a log with a number of messages, and a snapshot up to a slot. */
async function ask(messages: number, log: string, slot: number): Promise<string | undefined> {
  const time = new VirtualTime();
  const servers = new SimulatedServers(time, new Choices(1), NO_FAULTS);
  for (let count = 0; count < messages; count++) servers.messages.push(Buffer.of(1));
  const storage = new MemorySnapshots().connect(time, new Choices(1));
  const position = { ...FIRST_POSITION, slot, validSlot: slot };
  const results: (string | undefined)[] = [];
  const asking = (async () => {
    if (slot > 0)
      await storage.complete({
        id: snapshotId(log, '1'),
        position,
        pieces: 0,
        keys: 0,
        bytes: 0,
        sha256: '',
      });
    results.push(await checkBeginning(servers.connect(), storage, 'own'));
  })();
  await time.runAsyncUntil(() => results.length > 0, 10_000);
  await asking;
  return results[0];
}

test.each([
  ['has nothing', 0, 'own', 0, false],
  ['has what the snapshot has', 10, 'own', 10, false],
  ['has messages, and the snapshot is of another log', 3, 'other', 10, false],
  ['is empty, and the snapshot is of another log', 0, 'other', 10, true],
  ['is empty, and there is a snapshot of it', 0, 'own', 10, true],
  ['ends before the snapshot', 9, 'own', 10, true],
])(
  '[D31] a log that %s: an empty node begins, or does not',
  async (_name, messages, log, slot, isRefused) => {
    const problem = await ask(messages, log, slot);
    expect(problem === undefined).toBe(!isRefused);
    if (isRefused) expect(problem).toContain('Restore the stores of NATS');
  },
);
