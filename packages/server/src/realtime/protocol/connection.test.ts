import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { MessageAssembler } from '@hearth/core/wire/frames.ts';
import { WebSocket, WebSocketServer } from 'ws';
import { NO_APP_CHECK } from '../../access/app-check.ts';
import { emulatorVerifier } from '../../access/emulator-verifier.ts';
import { openSessionPools } from '../../platform/pools.fixture.ts';
import { openTestServer } from '../model/test-server.fixture.ts';
import { type ConnectionTestBed, connectionContract } from './connection.contract.ts';
import { LongPollConnection } from './long-poll-connection.ts';
import { RecordingPoll } from './recording-poll.fixture.ts';
import { SessionRegistry } from './session-registry.ts';
import { type ConnectionSettings, WebSocketConnection } from './websocket-connection.ts';

const PING = '{"t":"c","d":{"t":"p","d":{}}}';

connectionContract('WebSocket', openWebSocket);
connectionContract('long polling', openPolls);

/** Opens a WebSocket over this machine's network, with a client that does not read yet. */
async function openWebSocket(settings: ConnectionSettings): Promise<ConnectionTestBed> {
  const http = createServer();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const accepted = Promise.withResolvers<WebSocketConnection>();
  const ended = Promise.withResolvers<void>();
  let onReceived: () => void = () => undefined;
  http.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const opened = new WebSocketConnection(webSocket, socket, settings, '192.0.2.1');
      opened.attach({ receive: () => onReceived(), end: () => ended.resolve() });
      webSocket.on('message', (data, isBinary) => {
        if (Buffer.isBuffer(data)) opened.receive(data, isBinary);
      });
      webSocket.on('close', () => opened.markClosed());
      webSocket.on('error', () => undefined);
      accepted.resolve(opened);
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');

  const { port } = http.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}/`);
  const assembler = new MessageAssembler(Number.MAX_SAFE_INTEGER);
  const received: string[] = [];
  const closed = Promise.withResolvers<void>();
  let onMessage: () => void = () => undefined;
  client.on('message', (data) => {
    const message = assembler.accept(String(data));
    if (message !== undefined) received.push(message);
    onMessage();
  });
  client.on('close', () => closed.resolve());
  client.on('error', () => undefined);
  await once(client, 'open');
  client.pause();

  return {
    connection: await accepted.promise,
    ended: ended.promise,
    async receive(count) {
      const enough = Promise.withResolvers<void>();
      onMessage = () => {
        if (received.length >= count) enough.resolve();
      };
      onMessage();
      client.resume();
      await Promise.race([enough.promise, closed.promise]);
      client.pause();
      return received;
    },
    async receiveAll() {
      client.resume();
      await closed.promise;
      return received;
    },
    async send() {
      const arrived = new Promise<void>((resolve) => {
        onReceived = resolve;
      });
      client.send(PING);
      await arrived;
    },
    leave: () => client.terminate(),
    async [Symbol.asyncDispose]() {
      client.terminate();
      await ended.promise;
      http.close();
      await once(http, 'close');
    },
  };
}

/** Opens a polling connection in this process, with a client that does not poll yet. */
async function openPolls(settings: ConnectionSettings): Promise<ConnectionTestBed> {
  const directory = mkdtempSync(join(tmpdir(), 'hearth-connection-'));
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
    createSessionId: () => 'S',
    nextConnectionId: () => 1,
    countPending: () => 0,
  });
  const connection = new LongPollConnection({
    network: '192.0.2.1',
    password: 'P',
    settings,
    timeouts: { holdMs: 20_000, silenceMs: 60_000, abandonedMs: 5_000 },
    openSession: (opened) =>
      sessions.open(opened, {
        namespace: 'demo',
        host: 'localhost',
        lastSessionId: null,
        address: '192.0.2.1',
        userAgent: undefined,
        appCheckToken: null,
      }),
    onForgotten: () => undefined,
  });
  const start = new RecordingPoll();
  connection.start(start, '1');
  start.close();

  const received: string[] = [];
  let isClosed = false;
  let segment = 0;
  /** Sends a request and runs the script of its response, as a page does. Returns false if there is none yet. */
  const poll = (...messages: readonly string[]): boolean => {
    const request = new RecordingPoll();
    const segments = messages.map((text) => ({
      number: segment++,
      count: 1,
      data: Buffer.from(text).toString('base64url'),
    }));
    connection.poll(request, segments);
    const { script } = request;
    if (script === undefined) return false;
    runInNewContext(script, {
      pRTLPCB: (_number: number, list: readonly unknown[]) => {
        received.push(...list.map((message) => JSON.stringify(message)));
      },
      pLPCommand: () => {
        isClosed = true;
      },
    });
    request.close();
    return true;
  };
  const settle = () => new Promise(setImmediate);

  return {
    connection,
    ended: connection.session.over,
    async receive(count) {
      while (received.length < count && !isClosed) if (!poll()) await settle();
      return received;
    },
    async receiveAll() {
      while (!isClosed) if (!poll()) await settle();
      return received;
    },
    async send() {
      poll(PING);
      await settle();
    },
    leave: () => connection.leave(),
    async [Symbol.asyncDispose]() {
      await sessions.endAll();
      server[Symbol.dispose]();
      rmSync(directory, { recursive: true });
    },
  };
}
