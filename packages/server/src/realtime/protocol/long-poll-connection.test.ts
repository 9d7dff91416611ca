import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ADMIN, type Principal } from '../../access/principal.ts';
import { readText } from '../database/read-text.fixture.ts';
import { openTestServer, RecordingConnection, type TestServer } from '../model/test-server.fixture.ts';
import type { MessageReceiver } from './connection.ts';
import { LongPollConnection } from './long-poll-connection.ts';
import { RecordingPoll } from './recording-poll.fixture.ts';
import { SessionDirectory } from './session-registry.ts';
import type { UpgradeTarget } from './transport-upgrade.ts';
import { type ConnectionSettings, connectionSettings } from './websocket-connection.ts';

const NAME = 'polls';
const TIMEOUTS = { holdMs: 20_000, silenceMs: 60_000, abandonedMs: 5_000 };
const SWITCH = '{"t":"c","d":{"t":"a","d":{}}}';
const LAST = '{"t":"c","d":{"t":"n","d":{}}}';
const PING = '{"t":"c","d":{"t":"p","d":{}}}';
const PONG = '{"t":"c","d":{"t":"o","d":null}}';

/** A WebSocket that keeps what it is given, and whose client says what the test says. */
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
let sessions: SessionDirectory;
let settings: ConnectionSettings;
let forgotten: number;
/** Settles the credential that is being verified. */
let verified: (identity: Principal) => void;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  directory = mkdtempSync(join(tmpdir(), 'hearth-polls-'));
  server = await openTestServer(directory, () => 1000);
  settings = connectionSettings({ maxBacklogBytes: 65_536, maxMessageUnits: 100_000 });
  forgotten = 0;
  let count = 0;
  sessions = new SessionDirectory({
    scheduler: server.scheduler,
    verifier: {
      verify: () =>
        new Promise((resolve) => {
          verified = resolve;
        }),
    },
    unfinished: server.unfinished,
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

/** A client that polls, as far as its requests go. */
class Client {
  readonly connection: LongPollConnection;
  readonly polls: RecordingPoll[] = [];
  #segments = 0;

  constructor() {
    this.connection = new LongPollConnection({
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
        }),
      onForgotten: () => {
        forgotten++;
      },
    });
    const start = new RecordingPoll();
    this.connection.start(start, '1');
    start.close();
  }

  /** A request with messages, in segments as long as clients make them. */
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

  /** What the scripts so far have brought, in order. */
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

/** Lets the client ask for something to be written when it is gone. */
async function leaveSomething(client: Client): Promise<void> {
  client.poll(request(1, 'o', '"p":"left","d":true'));
  await settle();
}

test('[W134][W135][W136] a request is answered with the poll that brought it, the one before is released', async () => {
  const client = new Client();
  client.poll();
  client.poll(request(1, 'p', '"p":"a","d":1'));
  expect(client.scripts).toEqual(['pRTLPCB(1,[]);', undefined]);
  await settle();
  expect(client.scripts).toEqual(['pRTLPCB(1,[]);', `pRTLPCB(2,[${response(1)}]);`]);
});

test('[W170] polls that bring a part of a message are released at once, those that bring nothing are not', () => {
  const client = new Client();
  const bring = (number: number): string | undefined => {
    const poll = new RecordingPoll();
    client.connection.poll(poll, [{ number, count: 3, data: 'e30x' }]);
    return poll.script;
  };
  expect([bring(0), bring(2)]).toEqual(['pRTLPCB(1,[]);', 'pRTLPCB(2,[]);']);
  expect(client.poll().script).toBeUndefined();
});

test('[W140] what no client sends ends the connection, and what came before is done', async () => {
  const client = new Client();
  const poll = client.poll(request(1, 'p', '"p":"a","d":1'), 'no JSON', request(2, 'p', '"p":"b","d":1'));
  expect(poll.script).toBe(`pLPCommand('close');`);
  await settle();
  await expect(data()).resolves.toBe('{"a":1}');
  expect(forgotten).toBe(1);
});

test('[W141] a message beyond the bound ends the connection', async () => {
  const client = new Client();
  expect(client.poll(request(1, 'p', `"p":"a","d":"${'x'.repeat(100_000)}"`)).script).toBe(
    `pLPCommand('close');`,
  );
  expect(settings.unfinished.bytes).toBe(0);
});

test('[W148] a client of which nothing is heard is gone, one that polls is not', async () => {
  const client = new Client();
  await leaveSomething(client);
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

test('[W169] a client that gives up its poll is gone soon, unless it polls again', async () => {
  const client = new Client();
  await leaveSomething(client);
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

test('[W150] a client that takes nothing is cut off at the bound', async () => {
  const client = new Client();
  const poll = client.poll(request(1, 'p', `"p":"a","d":"${'x'.repeat(40_000)}"`));
  await settle();
  poll.close();
  // The answers do not leave: one may be of any size, but what comes behind it is bounded.
  for (let id = 2; id <= 4; id++) {
    expect(forgotten).toBe(0);
    client.poll(request(id, 'g', '"p":"a"'));
    await settle();
  }
  expect(forgotten).toBe(1);
  for (const answered of client.polls) answered.close();
  expect(settings.outgoing.bytes).toBe(0);
});

test('[W151] a client that asks for much is not answered, so that it asks for no more, until half is done', async () => {
  const client = new Client();
  const many = Array.from({ length: 200 }, (_, i) => request(i, 'g', '"p":"a"'));
  for (let i = 0; i < 6; i++) client.poll(...many);
  expect(client.scripts.filter((script) => script === undefined)).toHaveLength(2);
  await settle();
  expect(client.scripts.filter((script) => script === undefined)).toHaveLength(1);
});

test('[W151] one that asks for more nevertheless is cut off', async () => {
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
  expect(target.frames).toEqual([SWITCH, PONG, PONG]);
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
  expect(target.frames.slice(1)).toEqual([
    '{"t":"d","d":{"a":"d","b":{"p":"a","d":2}}}',
    response(2),
    '{"t":"d","d":{"a":"d","b":{"p":"a","d":3}}}',
    response(3),
    '{"t":"d","d":{"a":"d","b":{"p":"a","d":4}}}',
    response(4),
    response(5, '4'),
  ]);
});

test('[W159] on the WebSocket nothing is done before the last message over polls, of which parts may be missing', async () => {
  const client = new Client();
  const target = new RecordingTarget();
  client.connection.offerUpgrade(target);
  target.receiver?.receive(SWITCH);
  target.receiver?.receive(request(2, 'p', '"p":"a","d":2'));
  target.receiver?.receive(PING);
  await settle();
  await expect(data()).resolves.toBe('null');
  expect(target.frames).toEqual([SWITCH]);
  client.poll(request(1, 'p', '"p":"a","d":1'), LAST, request(9, 'p', '"p":"a","d":9'));
  await settle();
  await expect(data()).resolves.toBe('{"a":2}');
  expect(target.frames).toEqual([SWITCH, response(1), response(2), PONG]);
});

/** A client that has moved to a WebSocket. */
function openMoved(): { readonly client: Client; readonly target: RecordingTarget } {
  const client = new Client();
  const target = new RecordingTarget();
  client.connection.offerUpgrade(target);
  target.receiver?.receive(SWITCH);
  client.poll(LAST);
  target.frames.splice(0);
  return { client, target };
}

test('[W161] after the move polls are told to end, and neither leaving nor silence ends the session', async () => {
  const { client, target } = openMoved();
  expect(client.poll().script).toBe(`pLPCommand('close',1);`);
  client.connection.leave();
  target.receiver?.receive(request(1, 'o', '"p":"left","d":true'));
  await settle();
  vi.advanceTimersByTime(TIMEOUTS.silenceMs);
  expect(forgotten).toBe(1);
  target.receiver?.receive(PING);
  await settle();
  expect(target.frames).toEqual([response(1), PONG]);
  await expect(data()).resolves.toBe('null');
});

test('[W161] what follows the last message over polls does not count, not even if it is no message', async () => {
  const client = new Client();
  const target = new RecordingTarget();
  client.connection.offerUpgrade(target);
  target.receiver?.receive(SWITCH);
  client.poll(LAST, 'no JSON');
  target.receiver?.receive(PING);
  await settle();
  expect(target.frames).toEqual([SWITCH, PONG]);
});

test('[W162] the session keeps who it is, what it listens to and what it leaves to be written', async () => {
  await server.databases.writeRules(NAME, ADMIN, '{"rules":{".read":"auth != null",".write":true}}');
  const client = new Client();
  client.poll(request(1, 'auth', '"cred":"x"'), request(2, 'q', '"p":"a","h":""'));
  verified({ kind: 'user', auth: { uid: 'u' }, expiresAtMs: null });
  await settle();
  await leaveSomething(client);
  const target = new RecordingTarget();
  client.connection.offerUpgrade(target);
  target.receiver?.receive(SWITCH);
  client.poll(LAST);
  target.receiver?.receive(request(3, 'p', '"p":"a","d":3'));
  await settle();
  expect(target.frames.slice(1)).toEqual(['{"t":"d","d":{"a":"d","b":{"p":"a","d":3}}}', response(3)]);
  target.receiver?.end();
  await settle();
  await expect(data()).resolves.toBe('{"a":3,"left":true}');
});

test('[W163] a WebSocket that is lost before the switch changes nothing, and another may be offered', async () => {
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
  await leaveSomething(client);
  const target = new RecordingTarget();
  client.connection.offerUpgrade(target);
  act(target, client);
  target.receiver?.end();
  await settle();
  await expect(data()).resolves.toBe('{"left":true}');
  expect(forgotten).toBe(1);
});

test('[W165] a session is offered one WebSocket at a time, and none after the move', () => {
  const client = new Client();
  client.connection.offerUpgrade(new RecordingTarget());
  expect(client.connection.offerUpgrade(new RecordingTarget())).toBe(false);
  expect(openMoved().client.connection.offerUpgrade(new RecordingTarget())).toBe(false);
});

test('[W166] a session that ends takes a WebSocket with it that was about to take over', () => {
  const client = new Client();
  const target = new RecordingTarget();
  client.connection.offerUpgrade(target);
  client.connection.leave();
  expect(target.isClosed).toBe(true);
});

test('[W167] a WebSocket is not read from while very much waits for the last message over polls', async () => {
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
  expect(target.frames.slice(1)).toHaveLength(20);
});

test('[W168] a client that ends its polls without a WebSocket has left', async () => {
  const client = new Client();
  await leaveSomething(client);
  expect(client.poll(LAST).script).toBe(`pLPCommand('close');`);
  await settle();
  await expect(data()).resolves.toBe('{"left":true}');
});
