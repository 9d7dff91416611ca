import type { IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { LOCAL, OWNER } from '../app/exchange.fixture.ts';
import { createMemoryServer } from '../app/memory-server.fixture.ts';
import { type LoopbackClient, openLoopbackClient } from '../http/loopback-client.fixture.ts';

const DENIALS = '/api/databases/d/denials';
const RULES = '{"rules":{"rooms":{"$id":{".write":"false"}},"users":{".read":"false"}}}';
const EVENTS = { ...LOCAL, ...OWNER, accept: 'text/event-stream' };

async function openClient(): Promise<LoopbackClient> {
  const { server, serve } = await createMemoryServer();
  serve();
  const client = await openLoopbackClient(server);
  const headers = { ...LOCAL, ...OWNER };
  await client.send({ method: 'PUT', url: '/.settings/rules.json?ns=d', headers, body: RULES });
  return client;
}

async function deny(client: LoopbackClient, ...rooms: readonly string[]): Promise<void> {
  for (const room of rooms) {
    const url = `/rooms/${room}.json?ns=d`;
    expect(await client.send({ method: 'PUT', url, headers: LOCAL, body: '1' })).toMatchObject({
      status: 401,
    });
  }
}

interface Notified {
  readonly event: string;
  readonly paths: readonly string[];
}

/** Resolves to the next event of a stream, with the first path of each denial. */
async function readEvent(lines: AsyncIterator<string>): Promise<Notified> {
  const [event = '', data = ''] = [await lines.next(), await lines.next()].map(({ value }) => String(value));
  const { denials } = JSON.parse(data.slice('data: '.length)) as {
    readonly denials: readonly { readonly paths: readonly string[] }[];
  };
  return { event: event.slice('event: '.length), paths: denials.map(({ paths }) => paths[0] ?? '') };
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  for await (const part of response) {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => /^(?:event|data):/.test(line));
  }
}

async function follow(client: LoopbackClient, query = ''): Promise<AsyncGenerator<string>> {
  const response = await client.begin({ url: `${DENIALS}${query}`, headers: EVENTS });
  expect(response.statusCode).toBe(200);
  onTestFinished(() => void response.destroy());
  return linesOf(response);
}

test('[H420] a stream of denials starts with the current ones and continues with new ones', async () => {
  const client = await openClient();
  await deny(client, 'a', 'b', 'c');
  const lines = await follow(client, '?limit=2');
  expect(await readEvent(lines)).toEqual({ event: 'page', paths: ['/rooms/c', '/rooms/b'] });
  await deny(client, 'd');
  expect(await readEvent(lines)).toEqual({ event: 'denials', paths: ['/rooms/d'] });
  await deny(client, 'e');
  expect(await readEvent(lines)).toEqual({ event: 'denials', paths: ['/rooms/e'] });
});

test('[H420] a stream with a filter has only the denials that match', async () => {
  const client = await openClient();
  const below = await follow(client, '?path=/rooms/b');
  const byRule = await follow(client, '?rule=/users');
  expect([await readEvent(below), await readEvent(byRule)]).toEqual([
    { event: 'page', paths: [] },
    { event: 'page', paths: [] },
  ]);
  await deny(client, 'a', 'b');
  expect(await readEvent(below)).toEqual({ event: 'denials', paths: ['/rooms/b'] });
  await client.send({ url: '/users.json?ns=d', headers: LOCAL });
  expect(await readEvent(byRule)).toEqual({ event: 'denials', paths: ['/users'] });
});

test.each(['before=5', 'limit=201', 'path=a%23b'])('[H420] a stream with %s is rejected', async (query) => {
  const client = await openClient();
  const answer = await client.send({ url: `${DENIALS}?${query}`, headers: EVENTS });
  expect(answer.status).toBe(400);
});
