import { expect, test } from 'vitest';
import { createLogger } from '../../platform/logger.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { EmbeddedLog } from '../../storage/log/embedded.ts';
import { TransactionScheduler } from '../../storage/transaction/scheduler.ts';
import { DEFAULT_SETTINGS, StoredSettings } from './settings.ts';

const CHANGED = { defaultWriteSizeLimit: 'small', strictTriggerValidation: false } as const;

function openScheduler(store: MemoryStore): TransactionScheduler {
  const clock = { nowMs: () => 1, elapsedMs: () => 0 };
  return new TransactionScheduler({
    log: new EmbeddedLog({ store }),
    clock,
    logger: createLogger('fatal', { write: () => true }),
  });
}

test('[H72][H73] settings are stored for each database', async () => {
  using store = new MemoryStore();
  const settings = new StoredSettings(store);
  await openScheduler(store).request((transaction) => settings.write(transaction, 'db', CHANGED));
  for (const opened of [settings, new StoredSettings(store)]) {
    expect(opened.read('db')).toEqual(CHANGED);
    expect(opened.read('other')).toEqual(DEFAULT_SETTINGS);
  }
});

test('[H72] settings of a failed transaction are not stored', async () => {
  using store = new MemoryStore();
  const settings = new StoredSettings(store);
  const failing = openScheduler(store).request((transaction) => {
    settings.write(transaction, 'db', CHANGED);
    throw new Error('a bug');
  });
  await expect(failing).rejects.toThrow('Internal server error.');
  expect(settings.read('db')).toEqual(DEFAULT_SETTINGS);
});
