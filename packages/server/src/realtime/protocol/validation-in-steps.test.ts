import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must } from '@hearth/core/error/assert.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NO_APP_CHECK } from '../../access/app-check.ts';
import { emulatorVerifier } from '../../access/emulator-verifier.ts';
import { ADMIN, ANONYMOUS } from '../../access/principal.ts';
import { openSessionPools } from '../../platform/pools.fixture.ts';
import { prefixRange } from '../../storage/kv/store.ts';
import { readText } from '../database/read-text.fixture.ts';
import { executeWrite } from '../database/write.ts';
import { parseUpdate } from '../database/write-input.ts';
import { STAGED_PREFIX } from '../import/record.ts';
import { openTestServer, RecordingConnection, type TestServer } from '../model/test-server.fixture.ts';
import { Session } from './session.ts';

const NAME = 'demo';
const COUNT = 2_500;

/** A value with many children, each of which is validated. */
const LONG = Object.fromEntries(
  Array.from({ length: COUNT }, (_, n) => [`k${n}`, { n, text: 'x'.repeat(10) }]),
);

/** The rules of each child read the value, and the data at `limit`. */
const RULES = {
  '.read': true,
  limit: { '.write': true },
  other: { '.write': true },
  long: {
    '.write': true,
    $child: { '.validate': "newData.child('n').val() < root.child('limit').val()" },
  },
  own: { '.write': true, $child: { '.validate': "newData.child('n').isNumber()" } },
};

let directory: string;
let server: TestServer;
let connection: RecordingConnection;
let session: Session;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-validation-'));
  server = await openTestServer(directory, () => 1_000);
  connection = new RecordingConnection();
  const { scheduler, databases, unfinished, imports } = server;
  session = new Session({
    id: 's',
    database: databases.open(NAME),
    connection,
    scheduler,
    appChecks: NO_APP_CHECK,
    verifier: emulatorVerifier,
    nowMs: () => 0,
    unfinished,
    stagedWrites: imports,
    pools: openSessionPools(),
  });
  await publish(RULES);
  await write({ limit: COUNT });
});

afterEach(() => {
  server[Symbol.dispose]();
  rmSync(directory, { recursive: true });
});

function publish(rules: unknown): Promise<number> {
  return server.databases.writeRules(NAME, ADMIN, JSON.stringify({ rules }));
}

async function write(fields: unknown): Promise<void> {
  await server.databases.write(NAME, {
    operation: 'merge',
    identity: ADMIN,
    writes: parseUpdate(parsePath(''), fields),
  });
}

function put(path: string, value: unknown): void {
  session.receive(JSON.stringify({ t: 'd', d: { r: 1, a: 'p', b: { p: path, d: value } } }));
}

async function takeStatus(): Promise<unknown> {
  await expect.poll(() => connection.messages.length).toBe(1);
  return JSON.parse(connection.messages.splice(0)[0] ?? '').d.b.s;
}

async function readLong(path: string): Promise<unknown> {
  return JSON.parse(await readText(server.databases, NAME, path));
}

/** Returns whether the value is stored but not linked yet. */
function isStaged(): boolean {
  return server.store.read((tx) => [...tx.scan('meta', prefixRange(STAGED_PREFIX))].length > 0);
}

/** Runs `body` again and again while the value is stored and not linked, until the client has its answer. */
async function whileWriting(body: (round: number) => Promise<unknown>): Promise<void> {
  let round = 0;
  while (connection.messages.length === 0) {
    if (isStaged()) await body(round++);
    await server.scheduler.drain();
  }
}

/** Counts the computations in steps: each is a validation, because the tests hash nothing. */
function countComputations(): () => number {
  const stepwise = must(server.databases.open(NAME).stepwise, 'the server works in steps');
  const compute = vi.spyOn(stepwise, 'compute');
  return () => compute.mock.calls.length;
}

test.each([
  ['long', 'ok', LONG],
  ['long', 'permission_denied', { ...LONG, k2000: { n: COUNT } }],
  ['own', 'ok', LONG],
  ['own', 'permission_denied', { ...LONG, zzz: { n: 'text' } }],
])('[R302] a value of many validated children is decided in steps: %s is %s', async (path, status, value) => {
  const count = countComputations();
  put(path, value);
  await whileWriting((round) => write({ other: round }));
  expect(await takeStatus()).toBe(status);
  // A value whose rules read other data is validated again after each write.
  if (path === 'own') expect(count()).toBe(1);
  else expect(count()).toBeGreaterThan(0);
  expect(await readLong(path)).toEqual(status === 'ok' ? value : null);
  expect(isStaged()).toBe(false);
});

test.each([
  ['ok', 0, COUNT],
  ['permission_denied', COUNT, 0],
])('[R302] rules see the data at which the value takes effect: %s', async (status, first, second) => {
  await write({ limit: first });
  put('long', LONG);
  await whileWriting(async (round) => {
    if (round === 0) await write({ limit: second });
  });
  expect(await takeStatus()).toBe(status);
});

test('[R302] a value is decided even if the data that its rules read change all the time', async () => {
  const count = countComputations();
  put('long', LONG);
  await whileWriting((round) => write({ limit: COUNT + round }));
  expect(await takeStatus()).toBe('ok');
  expect(count()).toBeLessThanOrEqual(3);
});

test('[R302] rules that are published while a value is validated decide it', async () => {
  put('own', LONG);
  const rules = { ...RULES, own: { '.write': true, $child: { '.validate': 'false' } } };
  await whileWriting(async (round) => {
    if (round === 0) await publish(rules);
  });
  expect(await takeStatus()).toBe('permission_denied');
});

test('[R302] a value that is validated in steps is decided like one that is written at once', async () => {
  const { scheduler, databases } = server;
  const decideAtOnce = (limit: number): Promise<boolean> =>
    scheduler.request((transaction) => {
      const tree = databases.open(NAME).tree(transaction);
      tree.writeNode(parsePath('limit'), { kind: 'leaf', value: limit, priority: null });
      try {
        executeWrite(transaction, databases.open(NAME), {
          operation: 'put',
          identity: ANONYMOUS,
          writes: parseUpdate(parsePath(''), { long: LONG }),
        });
        return true;
      } catch {
        return false;
      }
    });
  for (const limit of [COUNT - 1, COUNT]) {
    const isAllowed = await decideAtOnce(limit);
    put('long', LONG);
    expect(await takeStatus()).toBe(isAllowed ? 'ok' : 'permission_denied');
  }
});
