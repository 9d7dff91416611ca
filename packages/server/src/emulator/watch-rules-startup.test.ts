import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ADMIN } from '../access/principal.ts';
import { createLogger } from '../platform/logger.ts';
import { openTestPool } from '../platform/pools.fixture.ts';
import { Databases } from '../realtime/database/registry.ts';
import { findRules, LOCKED_RULES, OPEN_RULES } from '../rules/publishing/versions.ts';
import { MemoryStore } from '../storage/kv/memory.ts';
import { SnapshotStore } from '../storage/kv/snapshot-store.ts';
import { EmbeddedLog } from '../storage/log/embedded.ts';
import { TransactionScheduler } from '../storage/transaction/scheduler.ts';
import { keepRules, type RulesTarget } from './watch-rules.ts';

let base = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'hearth-rules-'));
});
afterEach(() => rmSync(base, { recursive: true }));

const GOOD = '{"rules": {".read": true, ".write": false}} // kept\n';
const BETTER = '{"rules": {".read": "auth != null"}}';
const BAD = '{"rules": {\n  ".read": "frob()",\n  ".write": 5\n}}';

/** The lines that the watcher reports. */
class Lines {
  readonly all: string[] = [];
  #wake = Promise.withResolvers<void>();

  readonly report = (line: string): void => {
    this.all.push(line);
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  };

  /** Waits until a line contains `text`. */
  async until(text: string): Promise<void> {
    while (!this.all.some((line) => line.includes(text))) await this.#wake.promise;
  }
}

/** Returns databases in memory, whose rules the watcher publishes. */
function memoryTarget(): RulesTarget & { readonly databases: Databases } {
  const store = new SnapshotStore(new MemoryStore());
  const clock = { nowMs: () => 1, elapsedMs: () => 0 };
  const logger = createLogger('silent', { write: () => {} });
  const scheduler = new TransactionScheduler({ log: new EmbeddedLog({ store }), clock, logger });
  const databases = new Databases({
    longReads: openTestPool(),
    store,
    scheduler,
    clock,
    logger,
    randomBytes: (count) => new Uint8Array(count),
    newDatabaseRules: OPEN_RULES,
  });
  return {
    databases,
    hasRules: (name) => store.read((tx) => findRules(tx, name) !== undefined),
  };
}

test('[H174][H175] rules are published at the start and after each change of the file, and stay while it is invalid or missing', async () => {
  const path = join(base, 'r.json');
  writeFileSync(path, GOOD);
  const target = memoryTarget();
  const lines = new Lines();
  await using _watcher = await keepRules([{ path, databases: ['a', 'b'] }], target, base, lines.report);
  expect(lines.all).toEqual(['r.json: published for a and b']);
  for (const name of ['a', 'b']) expect(await target.databases.readRules(name, ADMIN)).toBe(GOOD);
  writeFileSync(path, BAD);
  await lines.until('stay unchanged');
  expect(lines.all.slice(1)).toEqual([
    expect.stringMatching(/^r\.json:2:13: .*frob/),
    expect.stringMatching(/^r\.json:3:13: /),
    'r.json: until this is fixed, the rules of a and b stay unchanged',
  ]);
  expect(await target.databases.readRules('b', ADMIN)).toBe(GOOD);
  lines.all.length = 0;
  writeFileSync(join(base, 'r.json.new'), BETTER);
  renameSync(join(base, 'r.json.new'), path);
  await lines.until('published');
  expect(await target.databases.readRules('b', ADMIN)).toBe(BETTER);
  rmSync(path);
  await lines.until('The file does not exist.');
  expect(await target.databases.readRules('a', ADMIN)).toBe(BETTER);
});

test('[H176] while a rules file is missing, its databases without rules are locked, and the others keep their rules', async () => {
  const path = join(base, 'sub/r.json');
  const target = memoryTarget();
  await target.databases.writeRules('b', ADMIN, GOOD);
  const lines = new Lines();
  await using _watcher = await keepRules([{ path, databases: ['a', 'b'] }], target, base, lines.report);
  expect(lines.all).toEqual([
    'sub/r.json: The file does not exist.',
    'sub/r.json: until this is fixed, the rules of b stay unchanged',
    'sub/r.json: until this is fixed, only administrators can use a',
  ]);
  expect(await target.databases.readRules('a', ADMIN)).toBe(LOCKED_RULES);
  expect(await target.databases.readRules('b', ADMIN)).toBe(GOOD);
});

test('[R148] the author of rules from a file is the file', async () => {
  const path = join(base, 'r.json');
  const target = memoryTarget();
  const lines = new Lines();
  await using _watcher = await keepRules([{ path, databases: ['a'] }], target, base, lines.report);
  writeFileSync(path, GOOD);
  await lines.until('published');
  const author = { kind: 'file', name: 'r.json' };
  expect(await target.databases.rulesHistory.list(ADMIN, 'a', null, 10)).toMatchObject([
    { id: 2, author, message: null },
    { id: 1, author, message: 'Locked while the file is missing or not valid.' },
  ]);
});
