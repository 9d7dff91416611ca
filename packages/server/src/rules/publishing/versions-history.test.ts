import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { pathOf } from '@hearth/core/tree/path.ts';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ADMIN, ANONYMOUS } from '../../access/principal.ts';
import { readText } from '../../realtime/database/read-text.fixture.ts';
import { parseUpdate } from '../../realtime/database/write-input.ts';
import { openTestServer, type TestServer } from '../../realtime/model/test-server.fixture.ts';
import { LOCKED_RULES, OPEN_RULES } from './versions.ts';

const NAME = 'd';
const READABLE = '{"rules":{".read":true}}\n';

let directory: string;
let server: TestServer;
let nowMs = 0;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-history-'));
  nowMs = 1000;
  server = await openTestServer(directory, () => nowMs);
});

afterEach(() => {
  server[Symbol.dispose]();
  rmSync(directory, { recursive: true });
});

async function history(): Promise<readonly unknown[]> {
  const versions = await server.databases.rulesHistory.list(ADMIN, NAME, null, 100);
  return versions.map(({ id, timeMs, author, message, rolledBackTo }) => [
    id,
    timeMs,
    author.kind,
    message,
    rolledBackTo,
  ]);
}

test('[R140][R141] every publication is a version, unless it publishes the current source', async () => {
  const { databases } = server;
  const { administration, rulesHistory } = databases;
  expect(await history()).toEqual([]);
  await databases.writeRules(NAME, ADMIN, OPEN_RULES);
  await databases.writeRules(NAME, ADMIN, OPEN_RULES);
  nowMs = 2000;
  expect(await rulesHistory.publish(ADMIN, NAME, LOCKED_RULES, { message: 'closing' })).toBe(2);
  expect(await rulesHistory.publish(ADMIN, NAME, LOCKED_RULES, { message: 'again' })).toBe(2);
  const id = await administration.addRuleset(ADMIN, NAME, READABLE);
  await administration.changeRulesetLabels(ADMIN, NAME, { stable: id });
  await databases.writeRules(NAME, ADMIN, OPEN_RULES, { author: { kind: 'file', name: 'r.json' } });
  expect(await history()).toEqual([
    [4, 2000, 'file', null, null],
    [3, 2000, 'admin', `Ruleset ${id} is stable.`, null],
    [2, 2000, 'admin', 'closing', null],
    [1, 1000, 'admin', null, null],
  ]);
});

test('[R143][R150] a version has its source and its difference from the previous one', async () => {
  const { rulesHistory } = server.databases;
  await rulesHistory.publish(ADMIN, NAME, OPEN_RULES, {});
  await rulesHistory.publish(ADMIN, NAME, OPEN_RULES.replace('".read": true', '".read": false'), {});
  expect(await rulesHistory.find(ADMIN, NAME, 1)).toMatchObject({ source: OPEN_RULES, difference: null });
  expect((await rulesHistory.find(ADMIN, NAME, 2)).difference).toBe(
    [
      '--- version 1',
      '+++ version 2',
      '@@ -1,6 +1,6 @@',
      ' {',
      '   "rules": {',
      '-    ".read": true,',
      '+    ".read": false,',
      '     ".write": true',
      '   }',
      ' }',
      '',
    ].join('\n'),
  );
  await expect(rulesHistory.find(ADMIN, NAME, 3)).rejects.toMatchObject({ code: 'rules/no-version' });
});

test('[R144] a rollback publishes the source of an earlier version as a new version', async () => {
  const { databases } = server;
  const { rulesHistory } = databases;
  await rulesHistory.publish(ADMIN, NAME, READABLE, {});
  await rulesHistory.publish(ADMIN, NAME, LOCKED_RULES, {});
  expect(await rulesHistory.rollBack(ADMIN, NAME, 1, { message: 'too strict' })).toBe(3);
  expect(await databases.readRules(NAME, ADMIN)).toBe(READABLE);
  expect((await history())[0]).toEqual([3, 1000, 'admin', 'too strict', 1]);
  expect(await rulesHistory.rollBack(ADMIN, NAME, 1, {})).toBe(3);
  await expect(rulesHistory.rollBack(ADMIN, NAME, 4, {})).rejects.toMatchObject({ code: 'rules/no-version' });
});

test('[R144] an earlier version that is no longer valid is rejected', async () => {
  const { databases, store } = server;
  store.transact((tx) =>
    tx.put('meta', Buffer.from(`rules/${NAME}`), Buffer.from('{"rules":{".read":"no such language"}}')),
  );
  await databases.rulesHistory.publish(ADMIN, NAME, READABLE, {});
  await expect(databases.rulesHistory.rollBack(ADMIN, NAME, 1, {})).rejects.toMatchObject({
    code: 'rules/invalid',
  });
  expect((await history()).length).toBe(2);
});

test.each([
  ['another version', 1, 'expected version 1, found version 2'],
  ['no version', 0, 'expected no version, found version 2'],
])('[R145] a publication that expects %s is rejected', async (_name, expected, sentence) => {
  const { databases } = server;
  const { rulesHistory } = databases;
  await rulesHistory.publish(ADMIN, NAME, OPEN_RULES, { expected: 0 });
  await rulesHistory.publish(ADMIN, NAME, LOCKED_RULES, { expected: 1 });
  for (const denied of [
    rulesHistory.publish(ADMIN, NAME, READABLE, { expected }),
    rulesHistory.rollBack(ADMIN, NAME, 1, { expected }),
  ])
    await expect(denied).rejects.toMatchObject({
      code: 'rules/outdated',
      message: expect.stringContaining(sentence),
    });
  expect(await databases.readRules(NAME, ADMIN)).toBe(LOCKED_RULES);
  expect((await history()).length).toBe(2);
  // A client may publish again because it lost the response.
  expect(await rulesHistory.publish(ADMIN, NAME, LOCKED_RULES, { expected })).toBe(2);
});

test('[R145] of two publications that expect the same version, one is rejected', async () => {
  const { rulesHistory } = server.databases;
  const outcomes = await Promise.allSettled([
    rulesHistory.publish(ADMIN, NAME, OPEN_RULES, { expected: 0 }),
    rulesHistory.publish(ADMIN, NAME, LOCKED_RULES, { expected: 0 }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});

test.each([null, 0, 1, 2])(
  '[R146] a publication on a full disk changes nothing (failing write: %s)',
  async (atPut) => {
    const { databases, store } = server;
    await databases.rulesHistory.publish(ADMIN, NAME, OPEN_RULES, {});
    store.failNext({ kind: 'full', atPut });
    await expect(databases.rulesHistory.publish(ADMIN, NAME, LOCKED_RULES, {})).rejects.toMatchObject({
      code: 'store/full',
    });
    expect((await history()).length).toBe(1);
    expect(await databases.readRules(NAME, ADMIN)).toBe(OPEN_RULES);
    expect(await databases.rulesHistory.publish(ADMIN, NAME, LOCKED_RULES, {})).toBe(2);
  },
);

type Step = 'open' | 'close' | 'write' | 'read';

/** Writes two paths, of which the rules allow only one unless they allow everything. */
function writeTwo(): Promise<unknown> {
  const writes = parseUpdate(pathOf([]), { open: 1, b: 2 });
  return server.databases.write(NAME, { identity: ANONYMOUS, operation: 'PATCH', writes });
}

test('[R146] every read and write is decided entirely before or after a publication', async () => {
  const { databases } = server;
  const { rulesHistory } = databases;
  const closed = '{"rules":{"open":{".write":true}}}';
  const steps = fc.array(fc.constantFrom<Step>('open', 'close', 'write', 'read'), { maxLength: 12 });
  const submit = (step: Step): Promise<unknown> => {
    if (step === 'write') return writeTwo();
    if (step === 'read') return readText(databases, NAME, 'open', ANONYMOUS);
    return rulesHistory.publish(ADMIN, NAME, step === 'open' ? OPEN_RULES : closed, {});
  };
  await fc.assert(
    fc.asyncProperty(steps, async (submitted) => {
      await rulesHistory.publish(ADMIN, NAME, closed, {});
      const outcomes = await Promise.allSettled(submitted.map(submit));
      let isOpen = false;
      for (const [index, step] of submitted.entries()) {
        if (step === 'open' || step === 'close') isOpen = step === 'open';
        const isAllowed = isOpen || step === 'close';
        const outcome = isAllowed ? { status: 'fulfilled' } : { reason: { code: 'access/denied' } };
        expect(outcomes[index]).toMatchObject(outcome);
      }
    }),
    { numRuns: 30 },
  );
});

test('[R146] a transaction that fails publishes nothing', async () => {
  const { scheduler, databases } = server;
  const { rulesHistory } = databases;
  await rulesHistory.publish(ADMIN, NAME, OPEN_RULES, {});
  const failed = scheduler.request((transaction) => {
    rulesHistory.publishInTransaction(transaction, NAME, parseRules(LOCKED_RULES), {
      author: { kind: 'admin' },
    });
    throw new Error('on purpose');
  });
  const [outcome] = await Promise.allSettled([failed, writeTwo()]);
  expect(outcome?.status).toBe('rejected');
  expect((await history()).length).toBe(1);
  expect(await databases.readRules(NAME, ADMIN)).toBe(OPEN_RULES);
});

test('[R149] only administrators may use the history', async () => {
  const { rulesHistory } = server.databases;
  await rulesHistory.publish(ADMIN, NAME, OPEN_RULES, {});
  for (const denied of [
    rulesHistory.list(ANONYMOUS, NAME, null, 1),
    rulesHistory.find(ANONYMOUS, NAME, 1),
    rulesHistory.publish(ANONYMOUS, NAME, OPEN_RULES, {}),
    rulesHistory.rollBack(ANONYMOUS, NAME, 1, {}),
  ])
    await expect(denied).rejects.toMatchObject({ code: 'auth/admin-only' });
});
