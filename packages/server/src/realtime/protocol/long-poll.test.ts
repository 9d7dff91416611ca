import { mkdtempSync, rmSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { NO_APP_CHECK } from '../../access/app-check.ts';
import { emulatorVerifier } from '../../access/emulator-verifier.ts';
import { openSessionPools, openTestPool } from '../../platform/pools.fixture.ts';
import { ResourcePool } from '../../platform/resource-pool.ts';
import { openTestServer } from '../model/test-server.fixture.ts';
import { LongPollService } from './long-poll.ts';
import { SessionRegistry } from './session-registry.ts';
import { connectionSettings } from './websocket-connection.ts';

/** Opens a service for one client at a time, with password P, and session id S unless `createSessionId` is given. */
async function openService(createSessionId: () => string = () => 'S'): Promise<LongPollService> {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-poll-service-'));
  const server = await openTestServer(directory, () => 1000);
  const sessions = new SessionRegistry({
    scheduler: server.scheduler,
    appChecks: NO_APP_CHECK,
    verifier: emulatorVerifier,
    unfinished: server.unfinished,
    pools: openSessionPools(),
    stagedWrites: server.imports,
    clock: { nowMs: () => 1000, elapsedMs: () => 0 },
    openDatabase: (name) => server.databases.open(name),
    createSessionId,
    nextConnectionId: () => 1,
    countPending: () => 0,
  });
  const service = new LongPollService({
    settings: connectionSettings({ maxBacklogBytes: 65_536, maxMessageUnits: 16_384 }, openTestPool()),
    timeouts: { holdMs: 20_000, silenceMs: 60_000, abandonedMs: 5_000 },
    places: new ResourcePool({ total: 1, reserve: 0, ofNetwork: 1, idleMs: 30_000 }, () => 0),
    sessions,
    addressOf: () => '192.0.2.1',
    networkOf: () => '192.0.2.1',
    createPassword: () => 'P',
  });
  onTestFinished(async () => {
    await service.close();
    server[Symbol.dispose]();
    rmSync(directory, { recursive: true });
  });
  return service;
}

/** Sends a request and returns its response. Nothing reads the response. */
function ask(service: LongPollService, search: string, namespace: string | null = 'demo'): ServerResponse {
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  const response = new ServerResponse(request);
  service.answer(request, response, namespace, new URLSearchParams(search));
  return response;
}

test('[W152] a client over the limit is rejected before any response, until another client leaves', async () => {
  const service = await openService();
  expect(ask(service, 'start=t&cb=1&v=5').statusCode).toBe(200);
  expect(() => ask(service, 'start=t&cb=2&v=5')).toThrow(
    expect.objectContaining({ code: 'request/overload' }),
  );
  ask(service, 'disconn=t&id=S&pw=wrong');
  expect(() => ask(service, 'start=t&cb=2&v=5')).toThrow();
  ask(service, 'disconn=t&id=S&pw=P');
  expect(ask(service, 'start=t&cb=2&v=5').headersSent).toBe(true);
});

test('[W152] a client that reconnects takes the place of its earlier connection', async () => {
  let count = 0;
  const service = await openService(() => `S${++count}`);
  ask(service, 'start=t&cb=1&v=5');
  for (const search of ['start=t&cb=2&v=5', 'start=t&cb=2&v=5&ls=S9'])
    expect(() => ask(service, search)).toThrow();
  expect(() => ask(service, 'start=t&cb=2&v=5&ls=S1', 'other')).toThrow();
  expect(ask(service, 'start=t&cb=2&v=5&ls=S1').headersSent).toBe(true);
  expect(() => ask(service, 'start=t&cb=3&v=5')).toThrow();
  ask(service, 'disconn=t&id=S2&pw=P');
  expect(ask(service, 'start=t&cb=4&v=5').headersSent).toBe(true);
});

test('[W152] a session that cannot be opened takes no place', async () => {
  let isBroken = true;
  const service = await openService(() => {
    if (isBroken) throw new Error('no randomness');
    return 'S';
  });
  expect(() => ask(service, 'start=t&cb=1&v=5')).toThrow('no randomness');
  isBroken = false;
  expect(ask(service, 'start=t&cb=1&v=5').headersSent).toBe(true);
});

test('[W147] a client that disconnects is identified only by its credential, whatever database it names', async () => {
  const service = await openService();
  for (const namespace of [null, 'other']) {
    ask(service, 'start=t&cb=1&v=5');
    ask(service, 'disconn=t&id=S&pw=wrong', namespace);
    expect(() => ask(service, 'start=t&cb=2&v=5')).toThrow();
    expect(ask(service, 'disconn=t&id=S&pw=P', namespace).statusCode).toBe(200);
  }
  for (const search of ['start=t&cb=1&v=5', 'id=S&pw=P'])
    expect(() => ask(service, search, null)).toThrow(expect.objectContaining({ code: 'namespace/missing' }));
  expect(ask(service, 'start=t&cb=1&v=5').headersSent).toBe(true);
});

test('[W154] the end of the service answers waiting polls', async () => {
  const service = await openService();
  ask(service, 'start=t&cb=1&v=5');
  const waiting = ask(service, 'id=S&pw=P');
  expect(waiting.headersSent).toBe(false);
  await service.close();
  expect(waiting.headersSent).toBe(true);
});
