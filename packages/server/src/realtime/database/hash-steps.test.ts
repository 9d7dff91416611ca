import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashNode } from '@hearth/core/tree/digest.ts';
import { parseDraft } from '@hearth/core/tree/draft.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ADMIN, ANONYMOUS } from '../../access/principal.ts';
import { openTestServer, type TestServer } from '../model/test-server.fixture.ts';
import type { ReadRequest } from './tree-view.ts';
import type { WriteRequest } from './write.ts';
import { parseUpdate } from './write-input.ts';

const NAME = 'demo';

/** A value that is too large to be hashed within one transaction. */
const LARGE: Readonly<Record<string, unknown>> = Object.fromEntries(
  Array.from({ length: 3_000 }, (_, n) => [`k${n}`, { text: 'x'.repeat(40), n }]),
);

const READ: ReadRequest = {
  operation: 'GET',
  identity: ADMIN,
  path: parsePath('large'),
  form: 'plain',
  selection: { kind: 'node' },
  wantsHash: true,
  timeoutMs: 10_000,
};

let directory: string;
let server: TestServer;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-hash-'));
  server = await openTestServer(directory, () => 1000);
  await write({ large: LARGE });
});

afterEach(() => {
  server[Symbol.dispose]();
  rmSync(directory, { recursive: true });
});

function hashOf(json: unknown): string {
  const { node } = parseDraft(json, 0);
  const sha1 = (text: string): string => createHash('sha1').update(text).digest('base64');
  return hashNode(node as Parameters<typeof hashNode>[0], sha1);
}

function write(fields: unknown, options: Partial<WriteRequest> = {}): Promise<string | null> {
  const writes = parseUpdate(parsePath(''), fields);
  return server.databases
    .write(NAME, { operation: 'merge', identity: ADMIN, writes, ...options })
    .then(({ hash }) => hash);
}

async function readHash(): Promise<string | null> {
  const { json, hash } = await server.databases.read(NAME, { ...READ });
  if (json.kind === 'parts') await json.parts.return(undefined);
  return hash;
}

test('[H576] the hash of a large node is computed between other requests, and cached', async () => {
  const finished: string[] = [];
  const note = (name: string) => (): number => finished.push(name);
  const read = readHash();
  await Promise.all([read.then(note('hash')), write({ other: 1 }).then(note('write'))]);
  expect(finished).toEqual(['write', 'hash']);
  expect(await read).toBe(hashOf(LARGE));
  finished.length = 0;
  await Promise.all([readHash().then(note('hash')), write({ other: 2 }).then(note('write'))]);
  expect(finished).toEqual(['hash', 'write']);
});

test('[H576] a write with a large precondition is decided when the node is hashed', async () => {
  const expected = { path: parsePath('large'), hash: hashOf(LARGE) };
  await expect(write({ 'large/k1': 1 }, { expected: { ...expected, hash: 'other' } })).rejects.toMatchObject({
    code: 'write/stale',
  });
  await write({ 'large/k1': 1 }, { expected });
  expect(await readHash()).toBe(hashOf({ ...LARGE, k1: 1 }));
  const conditions = { expected: [expected], keepsValues: false };
  await expect(write({ 'large/k2': 1 }, { conditions })).rejects.toMatchObject({ code: 'write/stale' });
});

test('[H576] a node that changes while it is hashed is hashed again, and its hash is that of one of its states', async () => {
  const states = [hashOf(LARGE)];
  let isDone = false;
  const reading = readHash().finally(() => {
    isDone = true;
  });
  for (let n = 0; !isDone; n++) {
    states.push(hashOf({ ...LARGE, k1: n }));
    await write({ 'large/k1': n });
  }
  expect(states).toContain(await reading);
});

test('[H576] a write with a precondition fails if its node changes faster than it can be hashed', async () => {
  let isDone = false;
  const written = write({ 'large/k2': 1 }, { expected: { path: parsePath('large'), hash: hashOf(LARGE) } });
  const ended = written
    .then(
      () => 'ok',
      ({ code }: { code: string }) => code,
    )
    .finally(() => {
      isDone = true;
    });
  for (let n = 0; !isDone; n++) await write({ 'large/k1': n });
  expect(await ended).toBe('write/stale');
});

test('[H576] the hash that a write returns is that of the state after the write, even if later writes change the node', async () => {
  const hash = write({ 'large/k1': 1 }, { hashOf: parsePath('large') });
  const later = write({ 'large/k1': 2 });
  expect(await hash).toBe(hashOf({ ...LARGE, k1: 1 }));
  await later;
  expect(await readHash()).toBe(hashOf({ ...LARGE, k1: 2 }));
});

test('[H576] a request that waits for a hash is recorded once, and a denied one does not wait', async () => {
  await server.databases.writeRules(
    NAME,
    ADMIN,
    JSON.stringify({ rules: { large: { '.write': 'newData.exists()', '.read': true } } }),
  );
  const decided: boolean[] = [];
  server.databases.open(NAME).decisions = {
    notify: (_transaction, _request, isAllowed) => decided.push(isAllowed),
  };
  const expected = { path: parsePath('large'), hash: hashOf(LARGE) };
  await write({ 'large/k1': 1 }, { identity: ANONYMOUS, expected });
  expect(decided).toEqual([true]);
  const denied = { path: parsePath('other'), hash: hashOf(LARGE) };
  await expect(write({ other: 1 }, { identity: ANONYMOUS, expected: denied })).rejects.toMatchObject({
    code: 'access/denied',
  });
  expect(decided).toEqual([true, false]);
});
