import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_APP_CHECK } from '../../access/app-check.ts';
import { emulatorVerifier } from '../../access/emulator-verifier.ts';
import { liveConnectionsContract } from '../../access/live-connections.contract.ts';
import { openSessionPools } from '../../platform/pools.fixture.ts';
import { readText } from '../database/read-text.fixture.ts';
import { countPending } from '../disconnect/queue.ts';
import { openTestServer, RecordingConnection, type TestServer } from '../model/test-server.fixture.ts';
import { connectionSourceContract } from '../monitoring/connections.contract.ts';
import type { Session } from './session.ts';
import { SessionRegistry } from './session-registry.ts';

let directory: string;
let server: TestServer;
let sessions: SessionRegistry;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-sessions-'));
  server = await openTestServer(directory, () => 1000);
  let count = 0;
  sessions = new SessionRegistry({
    scheduler: server.scheduler,
    appChecks: NO_APP_CHECK,
    verifier: emulatorVerifier,
    unfinished: server.unfinished,
    pools: openSessionPools(),
    stagedWrites: server.imports,
    clock: { nowMs: () => 1754040000123, elapsedMs: () => 0 },
    openDatabase: (name) => server.databases.open(name),
    createSessionId: () => `S${++count}`,
    nextConnectionId: () => count,
    countPending: (id) => server.store.read((tx) => countPending(tx, id)),
  });
});

afterEach(() => {
  server[Symbol.dispose]();
  rmSync(directory, { recursive: true });
});

function open(
  namespace: string,
  lastSessionId: string | null = null,
  connection = new RecordingConnection(),
) {
  const client = { host: 'localhost:9000', address: '192.0.2.1', userAgent: 'Test/1', appCheckToken: null };
  return sessions.open(connection, { ...client, namespace, lastSessionId });
}

function write(session: Session, action: string, json: string): void {
  session.receive(`{"t":"d","d":{"r":1,"a":"${action}","b":{"p":"state","d":${json}}}}`);
}

async function settle(): Promise<void> {
  await new Promise(setImmediate);
  await server.scheduler.drain();
}

connectionSourceContract('sessions', async () => ({
  source: sessions,
  async connect(namespace, userAgent) {
    const introduction = {
      host: 'localhost',
      address: '192.0.2.1',
      userAgent,
      namespace,
      lastSessionId: null,
      appCheckToken: null,
    };
    const session = sessions.open(new RecordingConnection(), introduction);
    session.receive('{"t":"d","d":{"r":1,"a":"q","b":{"p":"rooms","h":""}}}');
    await settle();
  },
  settle,
}));

liveConnectionsContract('sessions', async () => ({
  live: sessions,
  async connect(kind) {
    const session = open('one');
    if (kind === 'admin') session.receive('{"t":"d","d":{"r":1,"a":"gauth","b":{"cred":"owner"}}}');
    await settle();
    let isOver = false;
    void session.over.then(() => {
      isOver = true;
    });
    return () => !isOver && session.identity.kind === kind;
  },
  settle,
}));

test('[W1][W2] a session begins with the handshake', () => {
  const connection = new RecordingConnection();
  open('a', null, connection);
  expect(connection.messages).toEqual([
    '{"t":"c","d":{"t":"h","d":{"ts":1754040000123,"v":"5","h":"localhost:9000","s":"S1"}}}',
  ]);
});

test('[W11][W132] a client that reconnects ends its earlier session before its first request is executed', async () => {
  write(open('a'), 'o', '"offline"');
  write(open('a', 'S1'), 'p', '{".sv":{"increment":1}}');
  await settle();
  await expect(readText(server.databases, 'a', '')).resolves.toBe('{"state":1}');
  await sessions.endAll();
});

test('[W12] a client cannot end a session of another database, an unknown one or an ended one', async () => {
  const session = open('a');
  write(session, 'o', '"offline"');
  for (const id of ['S1', 'unknown', '__proto__']) open('b', id);
  await settle();
  await expect(readText(server.databases, 'a', '')).resolves.toBe('null');
  session.end();
  await session.over;
  write(open('a', 'S1'), 'p', '"online"');
  await settle();
  await expect(readText(server.databases, 'a', '')).resolves.toBe('{"state":"online"}');
});

test('[W154] the end of all sessions waits for the writes on disconnect of their clients', async () => {
  for (const name of ['a', 'b']) write(open(name), 'o', '"offline"');
  await sessions.endAll();
  for (const name of ['a', 'b'])
    await expect(readText(server.databases, name, '')).resolves.toBe('{"state":"offline"}');
  await sessions.endAll();
});
