import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePath } from '@hearth/core/tree/path.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_APP_CHECK } from '../../access/app-check.ts';
import { emulatorVerifier } from '../../access/emulator-verifier.ts';
import { ADMIN } from '../../access/principal.ts';
import { openSessionPools } from '../../platform/pools.fixture.ts';
import type { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import { executeWrite } from '../database/write.ts';
import { parseUpdate } from '../database/write-input.ts';
import { openTestServer, RecordingConnection, type TestServer } from '../model/test-server.fixture.ts';
import { Session } from './session.ts';

const NAME = 'held';

/** More nodes with long values than the server generates at the same time. */
const NODES = 24;
const CLIENTS = 25;

/** A value that is generated in steps. */
const LONG = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`k${n}`, 'x'.repeat(90)]));

let directory: string;
let server: TestServer;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-held-'));
  server = await openTestServer(directory, () => 1_000);
  await publish({ '.read': true });
});

afterEach(() => {
  server[Symbol.dispose]();
  rmSync(directory, { recursive: true });
});

function publish(rules: object): Promise<number> {
  return server.databases.writeRules(NAME, ADMIN, JSON.stringify({ rules }));
}

function write(fields: Readonly<Record<string, unknown>>): Promise<unknown> {
  return server.scheduler.request((transaction) =>
    executeWrite(transaction, server.databases.open(NAME), {
      operation: 'PUT',
      identity: ADMIN,
      writes: parseUpdate(parsePath(''), fields),
    }),
  );
}

/** Returns an update of one child of every node. */
function updateOf(value: number): Readonly<Record<string, number>> {
  return Object.fromEntries(Array.from({ length: NODES }, (_, n) => [`n${n}/count`, value]));
}

class Client extends RecordingConnection {
  readonly session: Session;
  readonly delivered: OutgoingMessage[] = [];

  constructor(id: string, network?: string) {
    super(network);
    const { scheduler, databases, unfinished } = server;
    this.session = new Session({
      id,
      database: databases.open(NAME),
      connection: this,
      scheduler,
      appChecks: NO_APP_CHECK,
      verifier: emulatorVerifier,
      nowMs: () => 0,
      unfinished,
      pools: openSessionPools(),
    });
  }

  override deliver(messages: readonly OutgoingMessage[]): void {
    this.delivered.push(...messages);
  }

  request(action: string, body: object): void {
    this.session.receive(JSON.stringify({ t: 'd', d: { r: 1, a: action, b: body } }));
  }

  async listenTo(names: readonly string[]): Promise<void> {
    for (const p of names) this.request('q', { p, h: '' });
    await expect.poll(() => this.#responses, { timeout: 30_000 }).toBe(names.length);
    this.delivered.length = 0;
  }

  get #responses(): number {
    return this.delivered.filter(({ text }) => text.includes('"s":"ok"')).length;
  }

  /** Returns the paths of the listens that the server has ended. */
  get ended(): readonly string[] {
    return this.delivered
      .map(({ text }) => /"a":"c","b":\{"p":"([^"]*)"/.exec(text)?.[1] ?? '')
      .filter(Boolean);
  }

  /** Returns the number of nodes whose last message has a value of `count`. */
  nodesWith(count: number): number {
    const last = new Map<string, string>();
    for (const { text } of this.delivered) {
      const node = /"a":"[dm]","b":\{"p":"(n[0-9]+)/.exec(text)?.[1];
      if (node !== undefined) last.set(node, text);
    }
    return [...last.values()].filter((text) => new RegExp(`(count":|count","d":)${count}[,}]`).test(text))
      .length;
  }
}

const NAMES = Array.from({ length: NODES }, (_, n) => `n${n}`);

async function openClients(): Promise<readonly Client[]> {
  const clients = Array.from({ length: CLIENTS }, (_, n) => new Client(`s${n}`, `192.0.2.${n}`));
  for (const client of clients) await client.listenTo(NAMES);
  return clients;
}

test('[W200] many long values that were held back are read once, wait for places, and end no session', async () => {
  const clients = await openClients();
  await write(Object.fromEntries(NAMES.map((name) => [name, { ...LONG, count: 0 }])));
  for (const client of clients) client.delivered.length = 0;
  const published = publish({ '.read': 'true' });
  await server.scheduler.request(() => undefined);
  await write(updateOf(1));
  await published;
  for (const client of clients) await expect.poll(() => client.nodesWith(1), { timeout: 30_000 }).toBe(NODES);
  for (const { session } of clients)
    await expect.poll(() => session.listens.unchecked, { timeout: 30_000 }).toBe(null);
  expect(clients.map(({ session }) => session.listens.count)).toEqual(clients.map(() => NODES));
  const whole = clients.flatMap(({ delivered }) => delivered.filter(({ text }) => text.length > 250_000));
  // Some clients were authorized in time, and received only the change.
  expect(whole.length).toBeGreaterThan(NODES);
  expect(new Set(whole).size).toBeLessThan(whole.length / 2);
  await write(updateOf(2));
  for (const client of clients) expect(client.nodesWith(2)).toBe(NODES);
}, 90_000);

test('[W200] values that were held back wait for a client that does not read, and follow later rules', async () => {
  await write(Object.fromEntries(NAMES.map((name) => [name, { count: 0 }])));
  const clients = await openClients();
  for (const client of clients) client.isFull = true;
  void publish({ '.read': 'true' });
  await server.scheduler.request(() => undefined);
  await write(updateOf(1));
  await server.scheduler.drain();
  const held = clients.filter(({ session }) => session.listens.unchecked !== null);
  expect(held.length).toBeGreaterThan(2);
  await publish({ n1: { '.read': true } });
  for (const client of clients) client.drain();
  for (const { session } of clients)
    await expect.poll(() => session.listens.unchecked, { timeout: 30_000 }).toBe(null);
  for (const client of held) {
    expect(client.ended.length).toBe(NODES - 1);
    const denied = client.delivered.findIndex(({ text }) => text.includes('"a":"c"'));
    const after = client.delivered.slice(denied).filter(({ data }) => data !== null);
    expect(after.filter(({ data }) => data?.path[0] !== 'n1')).toEqual([]);
    expect(client.session.listens.count).toBe(1);
  }
  await write(updateOf(2));
  for (const client of clients) expect(client.nodesWith(2)).toBe(1);
}, 90_000);

test('[W201] after new rules deny a read, the values that wait for an earlier long value are not sent', async () => {
  await write({ long: Object.fromEntries(NAMES.map((name) => [name, LONG])), secret: 0, open: 0 });
  const client = new Client('s');
  await client.listenTo(['secret', 'open']);
  client.request('q', { p: 'long', h: '' });
  await server.scheduler.drain();
  await write({ secret: 1, open: 1 });
  expect(client.delivered).toEqual([]);
  await publish({ long: { '.read': true }, open: { '.read': true } });
  await expect.poll(() => client.ended, { timeout: 30_000 }).toEqual(['secret']);
  expect(client.delivered.map(({ data }) => data?.path.join('/'))).toEqual([
    'long',
    undefined,
    'open',
    undefined,
  ]);
}, 60_000);
