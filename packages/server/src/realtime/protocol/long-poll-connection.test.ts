import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NO_APP_CHECK } from '../../access/app-check.ts';
import { ADMIN, type Principal } from '../../access/principal.ts';
import { openSessionPools, openTestPool } from '../../platform/pools.fixture.ts';
import { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import { readText } from '../database/read-text.fixture.ts';
import { openTestServer, RecordingConnection, type TestServer } from '../model/test-server.fixture.ts';
import type { MessageReceiver } from './connection.ts';
import { LongPollConnection } from './long-poll-connection.ts';
import { RecordingPoll } from './recording-poll.fixture.ts';
import { SessionRegistry } from './session-registry.ts';
import type { UpgradeTarget } from './transport-upgrade.ts';
import { type ConnectionSettings, connectionSettings } from './websocket-connection.ts';

const NAME = 'polls';
const TIMEOUTS = { holdMs: 20_000, silenceMs: 60_000, abandonedMs: 5_000 };
const SWITCH = '{"t":"c","d":{"t":"a","d":{}}}';
const LAST = '{"t":"c","d":{"t":"n","d":{}}}';
const PING = '{"t":"c","d":{"t":"p","d":{}}}';
const PONG = '{"t":"c","d":{"t":"o","d":null}}';

/** A WebSocket that records its messages. The test sends the client's messages. */
class RecordingTarget extends RecordingConnection implements UpgradeTarget {
  receiver: MessageReceiver | undefined;
  isClosed = false;

  attach(receiver: MessageReceiver): void {
    this.receiver = receiver;
  }

  override close(): void {
    this.isClosed = true;
  }
}

let directory: string;
let server: TestServer;
let sessions: SessionRegistry;
let settings: ConnectionSettings;
let forgotten: number;
/** Ends the verification of a credential with this principal. */
let finishVerification: (identity: Principal) => void;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  directory = mkdtempSync(join(tmpdir(), 'hearth-polls-'));
  server = await openTestServer(directory, () => 1000);
  settings = connectionSettings({ maxBacklogBytes: 65_536, maxMessageUnits: 100_000 }, openTestPool());
  forgotten = 0;
  let count = 0;
  sessions = new SessionRegistry({
    scheduler: server.scheduler,
    appChecks: NO_APP_CHECK,
    verifier: {
      verify: () =>
        new Promise((resolve) => {
          finishVerification = resolve;
        }),
    },
    unfinished: server.unfinished,
    pools: openSessionPools(),
    stagedWrites: server.imports,
    clock: { nowMs: () => 1000, elapsedMs: () => 0 },
    openDatabase: (name) => server.databases.open(name),
    createSessionId: () => `S${++count}`,
    nextConnectionId: () => count,
    countPending: () => 0,
  });
});

afterEach(async () => {
  await sessions.endAll();
  server[Symbol.dispose]();
  rmSync(directory, { recursive: true });
  vi.useRealTimers();
});

/** A polling client that sends requests and records the responses. */
class Client {
  readonly connection: LongPollConnection;
  readonly polls: RecordingPoll[] = [];
  #segments = 0;

  constructor() {
    this.connection = new LongPollConnection({
      network: '192.0.2.1',
      password: 'PW',
      settings,
      timeouts: TIMEOUTS,
      openSession: (connection) =>
        sessions.open(connection, {
          namespace: NAME,
          host: 'localhost',
          lastSessionId: null,
          address: '192.0.2.1',
          userAgent: undefined,
          appCheckToken: null,
        }),
      onForgotten: () => {
        forgotten++;
      },
    });
    const start = new RecordingPoll();
    this.connection.start(start, '1');
    start.close();
  }

  /** Sends a request with messages, in segments as long as those of official clients. */
  poll(...messages: readonly string[]): RecordingPoll {
    const poll = new RecordingPoll();
    this.polls.push(poll);
    const segments = messages.flatMap((text) => {
      const pieces =
        Buffer.from(text)
          .toString('base64url')
          .match(/.{1,1840}/g) ?? [];
      return pieces.map((data) => ({ number: this.#segments++, count: pieces.length, data }));
    });
    this.connection.poll(poll, segments);
    return poll;
  }

  /** The scripts of the responses so far, in order. */
  get scripts(): readonly (string | undefined)[] {
    return this.polls.map(({ script }) => script);
  }
}

function request(id: number, action: string, fields: string): string {
  return `{"t":"d","d":{"r":${id},"a":"${action}","b":{${fields}}}}`;
}

function response(id: number, json = '""'): string {
  return `{"t":"d","d":{"r":${id},"b":{"s":"ok","d":${json}}}}`;
}

async function settle(): Promise<void> {
  await new Promise(setImmediate);
  await server.scheduler.drain();
}

function data(): Promise<string> {
  return readText(server.databases, NAME, '');
}

/** Queues a write for when the client disconnects. */
async function queueWriteOnDisconnect(client: Client): Promise<void> {
  client.poll(request(1, 'o', '"p":"left","d":true'));
  await settle();
}

test('[W134][W135][W136] a request is answered in the poll that sent it, and the previous poll is released', async () => {
  const client = new Client();
  client.poll();
  client.poll(request(1, 'p', '"p":"a","d":1'));
  expect(client.scripts).toEqual(['pRTLPCB(1,[]);', undefined]);
  await settle();
  expect(client.scripts).toEqual(['pRTLPCB(1,[]);', `pRTLPCB(2,[${response(1)}]);`]);
});

test('[W170] a poll with a part of a message is released immediately, and one without is not', () => {
  const client = new Client();
  const bring = (number: number): string | undefined => {
    const poll = new RecordingPoll();
    client.connection.poll(poll, [{ number, count: 3, data: 'e30x' }]);
    return poll.script;
  };
  expect([bring(0), bring(2)]).toEqual(['pRTLPCB(1,[]);', 'pRTLPCB(2,[]);']);
  expect(client.poll().script).toBeUndefined();
});

test('[W140] an invalid message ends the connection, and earlier requests are executed', async () => {
  const client = new Client();
  const poll = client.poll(request(1, 'p', '"p":"a","d":1'), 'no JSON', request(2, 'p', '"p":"b","d":1'));
  expect(poll.script).toBe(`pLPCommand('close');`);
  await settle();
  await expect(data()).resolves.toBe('{"a":1}');
  expect(forgotten).toBe(1);
});

test('[W141] a message beyond the size limit ends the connection', async () => {
  const client = new Client();
  expect(client.poll(request(1, 'p', `"p":"a","d":"${'x'.repeat(100_000)}"`)).script).toBe(
    `pLPCommand('close');`,
  );
  expect(settings.messages.usage.used).toBe(0);
});

test('[W148] a client that sends nothing is treated as disconnected, and a client that polls is not', async () => {
  const client = new Client();
  await queueWriteOnDisconnect(client);
  vi.advanceTimersByTime(TIMEOUTS.silenceMs - 1);
  client.poll();
  vi.advanceTimersByTime(TIMEOUTS.silenceMs - 1);
  await settle();
  await expect(data()).resolves.toBe('null');
  vi.advanceTimersByTime(1);
  await settle();
  await expect(data()).resolves.toBe('{"left":true}');
  expect([forgotten, vi.getTimerCount()]).toEqual([1, 0]);
});

test('[W169] a client that aborts its poll is treated as disconnected after 5 s, unless it polls again', async () => {
  const client = new Client();
  await queueWriteOnDisconnect(client);
  client.poll().close();
  vi.advanceTimersByTime(TIMEOUTS.abandonedMs - 1);
  client.poll();
  vi.advanceTimersByTime(TIMEOUTS.abandonedMs);
  await settle();
  await expect(data()).resolves.toBe('null');
  client.polls.at(-1)?.close();
  vi.advanceTimersByTime(TIMEOUTS.abandonedMs);
  await settle();
  await expect(data()).resolves.toBe('{"left":true}');
});

test('[W150] a client that reads no responses is disconnected at the limit', async () => {
  const client = new Client();
  const poll = client.poll(request(1, 'p', `"p":"a","d":"${'x'.repeat(40_000)}"`));
  await settle();
  poll.close();
  // No response is sent completely. The first response may have any size, but the responses after it are limited.
  for (let id = 2; id <= 4; id++) {
    expect(forgotten).toBe(0);
    client.poll(request(id, 'g', '"p":"a"'));
    await settle();
  }
  expect(forgotten).toBe(1);
  for (const answered of client.polls) answered.close();
  expect(settings.messages.usage.used).toBe(0);
});

test('[W149] messages that wait when a session ends are sent with the next poll within 5 s', async () => {
  for (const [waitMs, script] of [
    [TIMEOUTS.abandonedMs - 1, `pRTLPCB(1,[${PONG}]);pLPCommand('close',1);`],
    [TIMEOUTS.abandonedMs, `pLPCommand('close');`],
  ] as const) {
    forgotten = 0;
    const client = new Client();
    client.connection.deliver([new OutgoingMessage(PONG)]);
    client.connection.session.end();
    vi.advanceTimersByTime(waitMs);
    const poll = client.poll();
    expect(poll.script).toBe(script);
    expect(client.poll().script).toMatch(/^pLPCommand\('close'(,1)?\);$/);
    vi.advanceTimersByTime(TIMEOUTS.abandonedMs);
    expect(forgotten).toBe(1);
    poll.close();
    expect(settings.messages.usage.used).toBe(0);
  }
});

test('[W149] no message is kept for a client that has left', async () => {
  const client = new Client();
  client.connection.deliver([new OutgoingMessage(PONG)]);
  client.connection.leave();
  expect(forgotten).toBe(1);
  expect(client.poll().script).toBe(`pLPCommand('close');`);
});

test('[W151] the polls of a client with many waiting requests are held until half of the requests are done', async () => {
  const client = new Client();
  const many = Array.from({ length: 200 }, (_, i) => request(i, 'g', '"p":"a"'));
  for (let i = 0; i < 6; i++) client.poll(...many);
  expect(client.scripts.filter((script) => script === undefined)).toHaveLength(2);
  await settle();
  expect(client.scripts.filter((script) => script === undefined)).toHaveLength(1);
});

test('[W151] a client that sends more polls while many of its polls are held is disconnected', async () => {
  const client = new Client();
  const many = Array.from({ length: 256 }, (_, i) => request(i, 'g', '"p":"a"'));
  for (let i = 0; i < 14; i++) client.poll(...many);
  expect(client.scripts.at(-1)).toBe(`pLPCommand('close');`);
});

test('[W157][W158] an upgrade is accepted without a handshake, and pings are answered', () => {
  const client = new Client();
  const target = new RecordingTarget();
  expect(client.connection.offerUpgrade(target)).toBe(true);
  target.receiver?.receive(PING);
  target.receiver?.receive(PING);
  expect(target.messages).toEqual([SWITCH, PONG, PONG]);
});

test.each([
  ['the WebSocket', true],
  ['the poll', false],
])('[W159][W160] the session moves once both sides have switched; %s first', async (_name, isSwitchFirst) => {
  const client = new Client();
  const target = new RecordingTarget();
  client.connection.offerUpgrade(target);
  client.poll(request(1, 'q', '"p":"a","h":""'));
  await settle();
  client.poll(request(2, 'p', '"p":"a","d":2'));
  const endPolls = () => client.poll(request(3, 'p', '"p":"a","d":3'), LAST);
  if (!isSwitchFirst) endPolls();
  target.receiver?.receive(SWITCH);
  target.receiver?.receive(request(4, 'p', '"p":"a","d":4'));
  target.receiver?.receive(request(5, 'g', '"p":"a"'));
  if (isSwitchFirst) endPolls();
  expect(client.scripts.at(-1)).toBe(`pRTLPCB(3,[${LAST}]);pLPCommand('close',3);`);
  await settle();
  expect(target.messages.slice(1)).toEqual([
    '{"t":"d","d":{"a":"d","b":{"p":"a","d":2}}}',
    response(2),
    '{"t":"d","d":{"a":"d","b":{"p":"a","d":3}}}',
    response(3),
    '{"t":"d","d":{"a":"d","b":{"p":"a","d":4}}}',
    response(4),
    response(5, '4'),
  ]);
});

test('[W159] messages over the WebSocket wait for the last message over polls, even if parts of it are missing', async () => {
  const client = new Client();
  const target = new RecordingTarget();
  client.connection.offerUpgrade(target);
  target.receiver?.receive(SWITCH);
  target.receiver?.receive(request(2, 'p', '"p":"a","d":2'));
  target.receiver?.receive(PING);
  await settle();
  await expect(data()).resolves.toBe('null');
  expect(target.messages).toEqual([SWITCH]);
  client.poll(request(1, 'p', '"p":"a","d":1'), LAST, request(9, 'p', '"p":"a","d":9'));
  await settle();
  await expect(data()).resolves.toBe('{"a":2}');
  expect(target.messages).toEqual([SWITCH, response(1), response(2), PONG]);
});

/** Opens a client that has moved to a WebSocket. */
function openMoved(): { readonly client: Client; readonly target: RecordingTarget } {
  const client = new Client();
  const target = new RecordingTarget();
  client.connection.offerUpgrade(target);
  target.receiver?.receive(SWITCH);
  client.poll(LAST);
  target.messages.splice(0);
  return { client, target };
}

test('[W161] after the move to a WebSocket, each poll is answered with a close, and neither `disconn` nor silence ends the session', async () => {
  const { client, target } = openMoved();
  expect(client.poll().script).toBe(`pLPCommand('close',1);`);
  client.connection.leave();
  target.receiver?.receive(request(1, 'o', '"p":"left","d":true'));
  await settle();
  vi.advanceTimersByTime(TIMEOUTS.silenceMs);
  expect(forgotten).toBe(1);
  target.receiver?.receive(PING);
  await settle();
  expect(target.messages).toEqual([response(1), PONG]);
  await expect(data()).resolves.toBe('null');
});

test('[W161] anything after the last message over polls is ignored, even if it is invalid', async () => {
  const client = new Client();
  const target = new RecordingTarget();
  client.connection.offerUpgrade(target);
  target.receiver?.receive(SWITCH);
  client.poll(LAST, 'no JSON');
  target.receiver?.receive(PING);
  await settle();
  expect(target.messages).toEqual([SWITCH, PONG]);
});

test('[W162] a session that moves to a WebSocket keeps its user, its listens and its writes on disconnect', async () => {
  await server.databases.writeRules(NAME, ADMIN, '{"rules":{".read":"auth != null",".write":true}}');
  const client = new Client();
  client.poll(request(1, 'auth', '"cred":"x"'), request(2, 'q', '"p":"a","h":""'));
  finishVerification({ kind: 'user', auth: { uid: 'u' }, expiresAtMs: null });
  await settle();
  await queueWriteOnDisconnect(client);
  const target = new RecordingTarget();
  client.connection.offerUpgrade(target);
  target.receiver?.receive(SWITCH);
  client.poll(LAST);
  target.receiver?.receive(request(3, 'p', '"p":"a","d":3'));
  await settle();
  expect(target.messages.slice(1)).toEqual(['{"t":"d","d":{"a":"d","b":{"p":"a","d":3}}}', response(3)]);
  target.receiver?.end();
  await settle();
  await expect(data()).resolves.toBe('{"a":3,"left":true}');
});

test('[W163] a WebSocket that is lost before the switch changes nothing, and another can be opened', async () => {
  const client = new Client();
  const first = new RecordingTarget();
  client.connection.offerUpgrade(first);
  first.receiver?.end();
  first.receiver?.end();
  const second = new RecordingTarget();
  expect(client.connection.offerUpgrade(second)).toBe(true);
  first.receiver?.end();
  const poll = client.poll(request(1, 'p', '"p":"a","d":1'));
  await settle();
  expect(poll.script).toContain(response(1));
});

test.each([
  ['the switch', (target: RecordingTarget) => target.receiver?.receive(SWITCH)],
  ['the last message over polls', (_target: RecordingTarget, client: Client) => client.poll(LAST)],
])('[W164] a WebSocket that is lost after %s ends the session', async (_name, act) => {
  const client = new Client();
  await queueWriteOnDisconnect(client);
  const target = new RecordingTarget();
  client.connection.offerUpgrade(target);
  act(target, client);
  target.receiver?.end();
  await settle();
  await expect(data()).resolves.toBe('{"left":true}');
  expect(forgotten).toBe(1);
});

test('[W165] a session accepts one WebSocket at a time, and none after the move', () => {
  const client = new Client();
  client.connection.offerUpgrade(new RecordingTarget());
  expect(client.connection.offerUpgrade(new RecordingTarget())).toBe(false);
  expect(openMoved().client.connection.offerUpgrade(new RecordingTarget())).toBe(false);
});

test('[W166] a session that ends closes the WebSocket to which it was about to move', () => {
  const client = new Client();
  const target = new RecordingTarget();
  client.connection.offerUpgrade(target);
  client.connection.leave();
  expect(target.isClosed).toBe(true);
});

test('[W167] a WebSocket is not read while too much waits for the last message over polls', async () => {
  const client = new Client();
  const target = new RecordingTarget();
  client.connection.offerUpgrade(target);
  target.receiver?.receive(SWITCH);
  const text = 'x'.repeat(60_000);
  for (let id = 1; id <= 20; id++) target.receiver?.receive(request(id, 'p', `"p":"a${id}","d":"${text}"`));
  expect(target.pauses).toBe(1);
  client.poll(LAST);
  expect(target.pauses).toBe(0);
  await settle();
  expect(target.messages.slice(1)).toHaveLength(20);
});

test('[W168] a client that ends its polls without a WebSocket is treated as disconnected', async () => {
  const client = new Client();
  await queueWriteOnDisconnect(client);
  expect(client.poll(LAST).script).toBe(`pLPCommand('close');`);
  await settle();
  await expect(data()).resolves.toBe('{"left":true}');
});
