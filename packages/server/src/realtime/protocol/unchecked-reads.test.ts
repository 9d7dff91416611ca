import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { parsePath } from '@hearth/core/tree/path.ts';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NO_APP_CHECK } from '../../access/app-check.ts';
import { emulatorVerifier } from '../../access/emulator-verifier.ts';
import { ADMIN } from '../../access/principal.ts';
import { openSessionPools } from '../../platform/pools.fixture.ts';
import type { Database } from '../database/database.ts';
import { executeWrite } from '../database/write.ts';
import { parseUpdate } from '../database/write-input.ts';
import { openTestServer, RecordingConnection, type TestServer } from '../model/test-server.fixture.ts';
import { Session } from './session.ts';

/** More listens than one transaction authorizes again, and more than it authorizes because of values. */
const ROOMS = 900;

/** Every tenth room also has a listen to a query. */
const QUERY_EVERY = 10;

const RULES: Readonly<Record<string, object>> = {
  open: { '.read': true },
  locked: {},
  users: { $room: { '.read': 'auth !== null' } },
  even: { $room: { '.read': '$room.matches(/[02468]$/)' } },
  mixed: { $room: { '.read': 'auth !== null || $room.matches(/[02468]$/)' } },
};

type Step =
  | { readonly kind: 'publish'; readonly rules: string }
  | { readonly kind: 'sign-in'; readonly uid: string }
  | { readonly kind: 'sign-out' }
  | { readonly kind: 'write'; readonly from: number; readonly count: number }
  | { readonly kind: 'listen'; readonly from: number; readonly count: number }
  | { readonly kind: 'stop'; readonly from: number; readonly count: number }
  | { readonly kind: 'wait'; readonly iterations: number };

const range = { from: fc.nat(ROOMS - 1), count: fc.constantFrom(1, 20, 500, ROOMS) };
const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('publish'), rules: fc.constantFrom(...Object.keys(RULES)) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sign-in'), uid: fc.constantFrom('u1', 'u2') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sign-out') }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('write'), ...range }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('listen'), ...range }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop'), ...range }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait'), iterations: fc.integer({ min: 1, max: 4 }) }),
  },
) as fc.Arbitrary<Step>;

/** A query with one child. */
const FIRST = { i: '.key', l: 1, vf: 'l' };

function sourceOf(rules: string): string {
  return JSON.stringify({ rules: RULES[rules] });
}

let directory: string;
let server: TestServer;
let runs = 0;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-unchecked-'));
  server = await openTestServer(directory, () => 1_000);
});

afterEach(() => {
  server[Symbol.dispose]();
  rmSync(directory, { recursive: true });
});

/** Returns an unsigned token, as the emulator accepts it. */
function tokenOf(uid: string): string {
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ sub: uid, user_id: uid, iat: 0, exp: 9e9, aud: 'demo' })}.`;
}

function roomsOf({ from, count }: { readonly from: number; readonly count: number }): readonly number[] {
  return Array.from({ length: Math.min(count, ROOMS - from) }, (_, n) => from + n);
}

/** The rules and the principal that decide about reads. */
interface Authority {
  readonly rules: string | undefined;
  readonly isUser: boolean;
}

function mayRead({ rules, isUser }: Authority, room: number): boolean {
  if (rules === 'users') return isUser;
  if (rules === 'even') return room % 2 === 0;
  return rules === 'open' || (rules === 'mixed' && (isUser || room % 2 === 0));
}

/** A client that checks each value that it receives. */
class CheckingClient extends RecordingConnection {
  readonly #database: Database;
  readonly session: Session;
  readonly problems: string[] = [];
  /** The last value of each listen that the client has had. */
  readonly #values = new Map<string, number>();
  /** By value: the rooms that the client may not read, neither when it was written nor since. */
  readonly #denied = new Map<number, Set<number>>();

  constructor(database: Database) {
    super();
    this.#database = database;
    const { scheduler, unfinished } = server;
    this.session = new Session({
      id: `session-${database.name}`,
      database,
      connection: this,
      scheduler,
      appChecks: NO_APP_CHECK,
      verifier: emulatorVerifier,
      nowMs: () => 0,
      unfinished,
      pools: openSessionPools(),
    });
  }

  get #authority(): Authority {
    const { source } = this.#database.rules;
    return {
      rules: Object.keys(RULES).find((name) => source === sourceOf(name)),
      isUser: this.session.identity.kind === 'user',
    };
  }

  request(action: string, body: object): void {
    this.session.receive(JSON.stringify({ t: 'd', d: { r: 1, a: action, b: body } }));
  }

  listen(room: number): void {
    this.request('q', { p: `r${room}`, h: '' });
    if (room % QUERY_EVERY === 0) this.request('q', { p: `r${room}`, q: FIRST, t: room + 1, h: '' });
  }

  stop(room: number): void {
    this.request('n', { p: `r${room}` });
    if (room % QUERY_EVERY === 0) this.request('n', { p: `r${room}`, q: FIRST, t: room + 1 });
  }

  async signIn(uid: string): Promise<void> {
    this.request('auth', { cred: tokenOf(uid) });
    await expect.poll(() => this.session.identity).toMatchObject({ kind: 'user' });
  }

  /** Records which rooms the client may not read when a value is written. */
  recordWrite(value: number, rooms: readonly number[]): void {
    const authority = this.#authority;
    this.#denied.set(value, new Set(rooms.filter((room) => !mayRead(authority, room))));
  }

  /** Records what the client may read since the last transaction. */
  recordAuthority(): void {
    const authority = this.#authority;
    for (const rooms of this.#denied.values())
      for (const room of rooms) if (mayRead(authority, room)) rooms.delete(room);
  }

  override deliver(messages: Parameters<RecordingConnection['deliver']>[0]): void {
    this.recordAuthority();
    for (const { text } of messages) this.#take(JSON.parse(text).d);
  }

  #take({
    a: action,
    b: body,
  }: {
    readonly a?: string;
    readonly b: Readonly<Record<string, unknown>>;
  }): void {
    if (action !== 'd' && action !== 'm') return;
    const room = Number(/^r([0-9]+)/.exec(String(body['p']))?.[1]);
    const value = Number(/:([0-9]+)/.exec(JSON.stringify(body['d']))?.[1] ?? 0);
    if (this.#denied.get(value)?.has(room)) this.problems.push(`received ${value} of room ${room}`);
    this.#values.set(`${room}/${body['t'] ?? ''}`, value);
  }

  /** Returns the listens that the client may not have, or whose value is not the current one. */
  wrongListens(stored: ReadonlyMap<number, number>): readonly string[] {
    const authority = this.#authority;
    return this.session.listens.all().flatMap((listen) => {
      const room = Number(listen.path[0]?.slice(1));
      const name = `${room}/${listen.kind === 'query' ? listen.subscription.tag : ''}`;
      if (!mayRead(authority, room)) return [`${name} is denied`];
      const value = this.#values.get(name);
      return value === (stored.get(room) ?? 0) ? [] : [`${name} has ${value}, not ${stored.get(room)}`];
    });
  }
}

/** Runs a history of steps, each in a transaction of its own. */
async function runHistory(steps: readonly Step[]): Promise<void> {
  const name = `unchecked-${runs++}`;
  const publish = (rules: string): Promise<number> =>
    server.databases.writeRules(name, ADMIN, sourceOf(rules));
  await publish('open');
  const database = server.databases.open(name);
  const client = new CheckingClient(database);
  const stored = new Map<number, number>();
  const publications: Promise<number>[] = [];
  let written = 0;
  const write = (rooms: readonly number[]): Promise<unknown> =>
    server.scheduler.request((transaction) => {
      written += 1;
      for (const room of rooms) stored.set(room, written);
      client.recordWrite(written, rooms);
      executeWrite(transaction, database, {
        operation: 'PUT',
        identity: ADMIN,
        writes: parseUpdate(
          parsePath(''),
          Object.fromEntries(rooms.map((room) => [`r${room}`, { k: written }])),
        ),
      });
      return undefined;
    });
  for (let room = 0; room < ROOMS; room++) client.listen(room);
  await server.scheduler.drain();
  for (const step of steps) {
    switch (step.kind) {
      case 'publish':
        publications.push(publish(step.rules));
        break;
      case 'sign-in':
        await client.signIn(step.uid);
        break;
      case 'sign-out':
        client.request('unauth', {});
        break;
      case 'write':
        await write(roomsOf(step));
        break;
      case 'listen':
        for (const room of roomsOf(step)) client.listen(room);
        break;
      case 'stop':
        for (const room of roomsOf(step)) client.stop(room);
        break;
      case 'wait':
        for (let n = 0; n < step.iterations; n++) await nextIteration();
        break;
      default:
        step satisfies never;
    }
    await server.scheduler.request(() => undefined);
    client.recordAuthority();
  }
  await Promise.all(publications);
  await server.scheduler.drain();
  await expect.poll(() => client.session.listens.unchecked).toBe(null);
  await server.scheduler.drain();
  expect(client.problems).toEqual([]);
  expect(client.wrongListens(stored)).toEqual([]);
  expect(database.readers.size).toBe(1);
  expect(database.listens.unchecked.size).toBe(0);
  expect(server.errors).toEqual([]);
  client.session.end();
  await client.session.over;
}

test('[W200] no value is sent for a read that the rules deny, and no value of another is lost', async () => {
  await fc.assert(fc.asyncProperty(fc.array(stepArbitrary, { minLength: 1, maxLength: 12 }), runHistory), {
    numRuns: 12,
  });
}, 120_000);

test.each<readonly [string, readonly Step[]]>([
  [
    'a publication and then a write over all reads',
    [
      { kind: 'publish', rules: 'even' },
      { kind: 'write', from: 0, count: ROOMS },
    ],
  ],
  [
    'a publication, listens that begin between its checks, and then a write over all reads',
    [
      { kind: 'stop', from: ROOMS - 50, count: 50 },
      { kind: 'publish', rules: 'even' },
      { kind: 'wait', iterations: 1 },
      { kind: 'listen', from: ROOMS - 50, count: 50 },
      { kind: 'write', from: 0, count: ROOMS },
    ],
  ],
  [
    'a sign-out and then a write over all reads',
    [
      { kind: 'sign-in', uid: 'u1' },
      { kind: 'publish', rules: 'mixed' },
      { kind: 'wait', iterations: 4 },
      { kind: 'sign-out' },
      { kind: 'write', from: 0, count: ROOMS },
      { kind: 'write', from: 200, count: 500 },
    ],
  ],
  [
    'a publication that replaces another before all reads are checked',
    [
      { kind: 'publish', rules: 'locked' },
      { kind: 'publish', rules: 'open' },
      { kind: 'write', from: 0, count: ROOMS },
      { kind: 'publish', rules: 'users' },
      { kind: 'write', from: 0, count: ROOMS },
      { kind: 'sign-in', uid: 'u2' },
    ],
  ],
])('[W200] values are checked or held back after %s', async (_name, steps) => {
  await runHistory(steps);
});
