import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePath } from '@hearth/core/tree/path.ts';
import fc from 'fast-check';
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

const NAME = 'queries';

/** More queries than one write reads at once. */
const QUERIES = 230;

let directory: string;
let server: TestServer;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'hearth-queries-'));
  server = await openTestServer(directory, () => 1_000);
  const rules = { '.read': true, list: { '.indexOn': '.value' } };
  await server.databases.writeRules(NAME, ADMIN, JSON.stringify({ rules }));
});

afterEach(() => {
  server[Symbol.dispose]();
  rmSync(directory, { recursive: true });
});

type Children = Readonly<Record<string, unknown>>;

/** A connection that counts the messages of each delivery. */
class CountingConnection extends RecordingConnection {
  readonly sizes: number[] = [];

  override deliver(messages: readonly OutgoingMessage[]): void {
    super.deliver(messages);
    this.sizes.push(messages.length);
  }
}

/** A client that applies the messages of the server to the results of its queries. */
class QueryClient {
  readonly #connection = new CountingConnection();
  readonly #session: Session;
  readonly #results = new Map<number, Children | null>();
  readonly #answers: { readonly r: number; readonly b: { readonly d: unknown } }[] = [];

  constructor(id: string) {
    const { scheduler, databases, unfinished } = server;
    this.#session = new Session({
      id,
      database: databases.open(NAME),
      connection: this.#connection,
      scheduler,
      appChecks: NO_APP_CHECK,
      verifier: emulatorVerifier,
      nowMs: () => 0,
      unfinished,
      pools: openSessionPools(),
    });
  }

  get sizes(): number[] {
    return this.#connection.sizes;
  }

  request(action: string, body: object): void {
    this.#session.receive(JSON.stringify({ t: 'd', d: { r: 1, a: action, b: body } }));
  }

  listen(tag: number): void {
    this.request('q', { p: 'list', q: queryOf(tag), t: tag, h: '' });
  }

  /** Applies the messages so far. */
  apply(): void {
    for (const message of this.#connection.messages.splice(0)) {
      const { d } = JSON.parse(message);
      if (d.a === undefined) this.#answers.push(d);
      else this.#applyPush(d.a, d.b);
    }
  }

  takeAnswer(): unknown {
    this.apply();
    return this.#answers.pop()?.b.d;
  }

  result(tag: number): Children | null | undefined {
    this.apply();
    return this.#results.get(tag);
  }

  #applyPush(
    action: string,
    { p, d, t }: { readonly p: string; readonly d: unknown; readonly t: number },
  ): void {
    const before = this.#results.get(t) ?? {};
    const [, key, ...below] = p.split('/');
    const changes = key === undefined ? (d as Children) : { [[key, ...below].join('/')]: d };
    if (action === 'd' && key === undefined) this.#results.set(t, changes);
    else this.#results.set(t, merge(before, changes));
  }
}

/** Returns children after changes. Each child is a number, so that paths have one level. */
function merge(children: Children, changes: Children): Children | null {
  const merged = Object.entries({ ...children, ...changes }).filter(([, value]) => value !== null);
  return merged.length === 0 ? null : Object.fromEntries(merged);
}

/** The queries differ, so that each has a result of its own. Every fifth one has no limit. */
function queryOf(tag: number): object {
  const limit = tag % 5 === 0 ? {} : { l: 1 + (tag % 4), vf: tag % 2 === 0 ? 'l' : 'r' };
  return { i: '.value', sp: tag / 10, sin: true, ...limit };
}

function write(fields: Children): Promise<unknown> {
  return server.scheduler.request((transaction) =>
    executeWrite(transaction, server.databases.open(NAME), {
      operation: 'PUT',
      identity: ADMIN,
      writes: parseUpdate(parsePath(''), fields),
    }),
  );
}

async function evaluate(client: QueryClient, tag: number): Promise<unknown> {
  client.request('g', { p: 'list', q: queryOf(tag) });
  await server.scheduler.drain();
  return client.takeAnswer();
}

async function openListening(): Promise<QueryClient> {
  const client = new QueryClient('s');
  for (let tag = 1; tag <= QUERIES; tag++) client.listen(tag);
  await server.scheduler.drain();
  client.apply();
  return client;
}

const numbers = fc.integer({ min: 0, max: 30 });
const keys = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const steps = fc.array(
  fc.oneof(
    fc.dictionary(keys, numbers).map((list) => ({ list })),
    fc.tuple(keys, fc.option(numbers)).map(([key, value]) => ({ [`list/${key}`]: value })),
  ),
  { minLength: 1, maxLength: 6 },
);

test('[Q29] after any writes, each of many queries of a list has the same result as a new evaluation', async () => {
  const client = await openListening();
  await fc.assert(
    fc.asyncProperty(steps, async (writes) => {
      // The writes run in one transaction, so that later writes meet queries that are not evaluated yet.
      await Promise.all(writes.map(write));
      await server.scheduler.drain();
      for (let tag = 1; tag <= QUERIES; tag += 7)
        expect([tag, client.result(tag) ?? null]).toEqual([tag, await evaluate(client, tag)]);
    }),
    { numRuns: 15 },
  );
});

test('[Q29] a write of the whole list is sent to some queries in its own transaction, and to the others in later ones', async () => {
  const client = await openListening();
  const { sizes } = client;
  sizes.length = 0;
  await write({ list: { a: 25 } });
  await server.scheduler.drain();
  expect(sizes).toEqual([100, 100, 30]);
  for (let tag = 1; tag <= QUERIES; tag++) expect(client.result(tag)).toEqual({ a: 25 });
  // An empty result is sent too.
  await write({ list: null });
  await server.scheduler.drain();
  for (let tag = 1; tag <= QUERIES; tag++) expect(client.result(tag)).toBe(null);
});

test('[Q29] a client that begins to listen to a query that is not evaluated again yet receives its result', async () => {
  await write({ list: { a: 25 } });
  await openListening();
  const other = new QueryClient('other');
  const written = write({ list: { b: 24 } });
  other.listen(QUERIES);
  await written;
  other.apply();
  await server.scheduler.drain();
  expect(other.result(QUERIES)).toEqual({ b: 24 });
  expect(await evaluate(other, QUERIES)).toEqual({ b: 24 });
});
