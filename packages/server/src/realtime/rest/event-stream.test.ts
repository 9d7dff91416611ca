import { expect, test, vi } from 'vitest';
import { error, LOCAL, OWNER } from '../../app/exchange.fixture.ts';
import {
  EXPIRES_AT_MS,
  event,
  openStreamTestBed,
  patch,
  put,
  StreamTestBed,
  WITHIN,
} from './event-stream-test-bed.fixture.ts';

const RULES = '/.settings/rules.json';
const CANCELED = event('cancel', '"Permission denied."');
const REVOKED = event('auth_revoked', '"credential is no longer valid"');
const KEPT_ALIVE = event('keep-alive', 'null');

test('[H150][H151] a stream begins with the current data', async () => {
  const testBed = await openStreamTestBed();
  await testBed.write(['PUT', '/a.json', '{"x":[1,2],".priority":3}']);
  const plain = await testBed.stream('/a.json');
  expect(plain.response.statusCode).toBe(200);
  expect(plain.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'access-control-allow-origin': '*',
    'x-accel-buffering': 'no',
  });
  expect(plain.take()).toBe(put('/', '{"x":[1,2]}'));
  const exported = await testBed.stream('/a.json?format=export');
  expect(exported.take()).toBe(put('/', '{"x":{"0":1,"1":2},".priority":3}'));
  const nothing = await testBed.stream('/nothing.json', { accept: 'text/html, text/EVENT-stream;q=0.9' });
  expect(nothing.take()).toBe(put('/', 'null'));
});

test.each([
  ['HEAD', '/a.json', 'text/event-stream'],
  ['GET', '/a.json', 'application/json'],
  ['GET', '/a.json', '*/*'],
  ['GET', '/a.json', 'text/event-streams'],
  ['GET', RULES, 'text/event-stream'],
] as const)('[H150] %s %s that accepts %s is not a stream', async (method, url, accept) => {
  const client = await (await openStreamTestBed()).client;
  const answer = await client.send({
    method,
    url,
    headers: { ...LOCAL, ...OWNER, accept },
  });
  expect(answer.headers['content-type']).toContain('application/json');
});

test('[H150] a POST with the method override GET can open a stream', async () => {
  const testBed = await openStreamTestBed();
  const client = await testBed.client;
  const response = await client.begin({
    method: 'POST',
    url: '/a.json',
    headers: { ...LOCAL, accept: 'text/event-stream', 'x-http-method-override': 'GET' },
  });
  expect(response.headers['content-type']).toContain('text/event-stream');
});

test('[H152][H153] every change is sent, relative to the path', async () => {
  const testBed = await openStreamTestBed();
  const plain = await testBed.stream('/a/b.json');
  const exported = await testBed.stream('/a/b.json?format=export');
  expect([plain.take(), exported.take()]).toEqual([put('/', 'null'), put('/', 'null')]);
  await testBed.write(['PUT', '/a/b/c.json', '{"d":1,".priority":2}']);
  expect(plain.take()).toBe(put('/c', '{"d":1}'));
  expect(exported.take()).toBe(put('/c', '{"d":1,".priority":2}'));
  await testBed.write(['PATCH', '/a/b.json', '{"c/d":2,"e":3}']);
  expect(plain.take()).toBe(patch('/', '{"c/d":2,"e":3}'));
  await testBed.write(['PATCH', '/a/b/c.json', '{"f":3,"g/h":4}']);
  expect([plain.take(), exported.take()]).toEqual([
    patch('/c', '{"f":3,"g/h":4}'),
    patch('/', '{"c/d":2,"e":3}') + patch('/c', '{"f":3,"g/h":4}'),
  ]);
  await testBed.write(['PUT', '/a/b/c/.priority.json', '5']);
  expect(plain.take()).toBe('');
  expect(exported.take()).toBe(put('/c/.priority', '5'));
  await testBed.write(['PUT', '/a.json', '{"b":{"0":1}}']);
  expect(plain.take()).toBe(put('/', '[1]'));
  await testBed.write(['PUT', '/a/elsewhere.json', '1']);
  expect(plain.take()).toBe('');
  await testBed.write(['PUT', '/.json', 'null']);
  expect(plain.take()).toBe(put('/', 'null'));
});

test('[H155] the stream of a query sends the changes of its window', async () => {
  const testBed = await openStreamTestBed();
  await testBed.write(
    ['PUT', RULES, '{"rules":{".read":true,"s":{".indexOn":"n"}}}'],
    ['PUT', '/s.json', '{"a":{"n":1},"b":{"n":2},"c":{"n":3},"d":{"n":4}}'],
  );
  const stream = await testBed.stream('/s.json?orderBy="n"&limitToFirst=2');
  expect(stream.take()).toBe(put('/', '{"a":{"n":1},"b":{"n":2}}'));
  const reported = async (path: string, json: string): Promise<string> => {
    await testBed.write(['PUT', path, json]);
    return stream.take();
  };
  expect(await reported('/s/a.json', 'null')).toBe(patch('/', '{"a":null,"c":{"n":3}}'));
  expect(await reported('/s/z.json', '{"n":0,"x":["deep"]}')).toBe(
    patch('/', '{"c":null,"z":{"n":0,"x":["deep"]}}'),
  );
  expect(await reported('/s/b/n.json', '9')).toBe(patch('/', '{"b":null,"c":{"n":3}}'));
  expect(await reported('/s/c/y.json', 'true')).toBe(put('/c/y', 'true'));
  expect(await reported('/s/b/q.json', '1')).toBe('');
  expect(await reported('/s/.priority.json', '1')).toBe('');
  expect(await reported('/s.json', 'null')).toBe(put('/', 'null'));
});

test('[H155] streams of one query share its window', async () => {
  const testBed = await openStreamTestBed();
  await testBed.write(['PUT', '/s.json', '{"a":1,"b":2,"c":3}']);
  const first = await testBed.stream('/s.json?orderBy="$key"&limitToLast=1');
  const second = await testBed.stream('/s.json?orderBy="$key"&limitToLast=1&format=export');
  await testBed.write(['PATCH', '/s.json', '{"c":null,"b/.priority":1}']);
  expect(first.take()).toBe(put('/', '{"c":3}') + patch('/', '{"c":null,"b":2}'));
  expect(second.take()).toBe(put('/', '{"c":3}') + patch('/', '{"c":null,"b":{".value":2,".priority":1}}'));
  first.leave();
  await testBed.settle();
  await testBed.write(['PUT', '/s/d.json', '4']);
  expect(second.take()).toBe(patch('/', '{"b":null,"d":4}'));
});

test.each([
  ['[H156]', '/secret.json', 401, error('Permission denied')],
  [
    '[H156]',
    '/open.json?orderBy="n"',
    400,
    error('Index not defined, add ".indexOn": "n", for path "/open", to the rules'),
  ],
  ['[H156]', '/open.json?auth=bad', 401, error('Could not parse auth token.')],
  ['[H156]', '/open.json?limitToFirst=1', 400, /orderBy must be defined/],
  ['[H157]', '/open.json?print=pretty', 400, /print, shallow, callback/],
  ['[H157]', '/open.json?print=silent', 400, /print, shallow, callback/],
  ['[H157]', '/open.json?shallow=true', 400, /print, shallow, callback/],
  ['[H157]', '/open.json?callback=f', 400, /print, shallow, callback/],
  ['[H157]', '/open.json?download=f', 400, /print, shallow, callback/],
  ['[H157]', '/open/.priority.json', 400, /priority cannot be streamed/],
])('%s %s is answered %i', async (_number, url, status, body) => {
  const testBed = await openStreamTestBed();
  await testBed.write(['PUT', RULES, '{"rules":{"open":{".read":true}}}']);
  const { response, ...stream } = await testBed.stream(url);
  await testBed.settle();
  expect(response.statusCode).toBe(status);
  expect(response.headers['content-type']).toContain('application/json');
  const text = stream.chunks.join('');
  if (typeof body === 'string') expect(text).toBe(body);
  else expect(text).toMatch(body);
  expect([testBed.streams.count, testBed.listenCount]).toEqual([0, 0]);
});

test.each([{ 'if-match': 'x' }, { 'x-firebase-etag': 'true' }])(
  '[H157] a request for a stream with %j is answered 400',
  async (headers) => {
    const { response } = await (await openStreamTestBed()).stream('/a.json', { ...headers });
    expect(response.statusCode).toBe(400);
  },
);

test('[H158] a stream without other events sends keep-alive events', async () => {
  const testBed = await openStreamTestBed({ keepAliveMs: 30 });
  const stream = await testBed.stream('/a.json');
  await vi.waitFor(() => expect(stream.chunks.length).toBeGreaterThan(2), WITHIN);
  expect(stream.chunks.slice(0, 3)).toEqual([put('/', 'null'), KEPT_ALIVE, KEPT_ALIVE]);
});

test('[H159] new rules end the streams that they no longer allow, and no others', async () => {
  const testBed = await openStreamTestBed();
  const streams = [
    await testBed.stream('/a.json'),
    await testBed.stream('/b.json'),
    await testBed.stream('/a.json', OWNER),
  ];
  const query = await testBed.stream('/a.json?orderBy="$key"&limitToFirst=1');
  await testBed.write(
    ['PUT', '/a/x.json', '1'],
    ['PUT', RULES, '{"rules":{"b":{".read":true}}}'],
    ['PUT', '/a/secret.json', '1'],
    ['PUT', '/b.json', '1'],
  );
  const before = put('/', 'null');
  expect(streams.map((stream) => stream.take())).toEqual([
    before + put('/x', '1') + CANCELED,
    before + put('/', '1'),
    before + put('/x', '1') + put('/secret', '1'),
  ]);
  expect(query.take()).toBe(before + patch('/', '{"x":1}') + CANCELED);
  expect(streams.map((stream) => stream.hasEnded)).toEqual([true, false, false]);
  expect([testBed.streams.count, testBed.listenCount]).toEqual([2, 2]);
});

test('[H160] data that is too large ends a stream', async () => {
  const testBed = await openStreamTestBed();
  const stream = await testBed.stream('/.json');
  for (const receiver of testBed.databases.open('fake-server').listens.root.defaults) receiver.end();
  await testBed.settle();
  expect(stream.take()).toBe(
    put('/', 'null') +
      event('cancel', '"The specified payload is too large, please request a location with less data."'),
  );
  expect([stream.hasEnded, testBed.listenCount]).toEqual([true, 0]);
});

test('[H513] a stream that ends before its first event sends only the event of its end', async () => {
  const testBed = await openStreamTestBed();
  const listen = testBed.databases.listen.bind(testBed.databases);
  testBed.databases.listen = async (name, request) => {
    testBed.streams.revokeCredentials(() => true);
    await listen(name, request);
  };
  const stream = await testBed.stream('/a.json');
  expect(stream.response.statusCode).toBe(200);
  expect(stream.take()).toBe(REVOKED);
  expect([stream.hasEnded, testBed.streams.count, testBed.listenCount]).toEqual([true, 0, 0]);
});

test('[H161] a stream ends when its token has expired', async () => {
  const testBed = await openStreamTestBed();
  const stream = await testBed.stream('/a.json?auth=short');
  testBed.nowMs = EXPIRES_AT_MS - 1;
  await testBed.write(['PUT', '/a.json', '1']);
  testBed.nowMs = EXPIRES_AT_MS;
  await testBed.write(['PUT', '/a.json', '2']);
  expect(stream.take()).toBe(put('/', 'null') + put('/', '1') + REVOKED);
  expect([stream.hasEnded, testBed.listenCount]).toEqual([true, 0]);
});

test('[H161] a stream without events ends at its next keep-alive after its token has expired', async () => {
  const testBed = await openStreamTestBed({ keepAliveMs: 30 });
  const stream = await testBed.stream('/a.json?auth=short');
  testBed.nowMs = EXPIRES_AT_MS;
  await vi.waitFor(() => expect(stream.chunks.at(-1)).toBe(REVOKED), WITHIN);
  expect(testBed.listenCount).toBe(0);
});

test('[H162] events of one transaction are sent together, in order', async () => {
  const testBed = await openStreamTestBed();
  const stream = await testBed.stream('/a.json');
  stream.take();
  await testBed.write(['PUT', '/a/x.json', '1'], ['PUT', '/a/y.json', '2'], ['PUT', '/a/x.json', '3']);
  expect(stream.chunks).toEqual([put('/x', '1') + put('/y', '2') + put('/x', '3')]);
});

test('[H164] a stream whose client has disconnected leaves no listen in the database', async () => {
  const testBed = await openStreamTestBed();
  const streams = await Promise.all([
    testBed.stream('/a.json'),
    testBed.stream('/a/b.json?orderBy="$key"&limitToFirst=1'),
    testBed.stream('/a/b.json?orderBy="$key"&startAt="x"'),
  ]);
  expect([testBed.streams.count, testBed.listenCount]).toEqual([3, 3]);
  for (const stream of streams) stream.leave();
  await testBed.settle();
  expect([testBed.streams.count, testBed.listenCount]).toEqual([0, 0]);
  expect(testBed.databases.open('fake-server').isIdle).toBe(true);
});

test('[H165] a stream over the limit is answered 503, until another ends', async () => {
  const testBed = await openStreamTestBed({ maxStreams: 2 });
  const first = await testBed.stream('/a.json');
  await testBed.stream('/a.json');
  const third = await testBed.stream('/a.json');
  expect(third.response.statusCode).toBe(503);
  first.leave();
  await testBed.settle();
  expect((await testBed.stream('/a.json')).response.statusCode).toBe(200);
});

test('[H621] a stream that makes room for others ends with a comment and the time to connect again', async () => {
  const testBed = await openStreamTestBed({ maxStreams: 2, idleMs: 0 });
  await testBed.write(['PUT', '/a.json', '1']);
  const first = await testBed.stream('/a.json');
  await testBed.stream('/a.json');
  expect(first.take()).toBe(put('/', '1'));
  const third = await testBed.stream('/a.json');
  await testBed.settle();
  expect(first.take()).toMatch(/^: [^\n]*connect again later\nretry: 5000\n\n$/);
  expect([first.hasEnded, third.response.statusCode, testBed.streams.count]).toEqual([true, 200, 2]);
});

test('[H166] streams end when the server stops', async () => {
  const testBed = await openStreamTestBed();
  const stream = await testBed.stream('/a.json');
  await testBed.close();
  await testBed.settle();
  expect([stream.hasEnded, testBed.streams.count, testBed.listenCount]).toEqual([true, 0, 0]);
});

test('[H166] a request for a stream gets no response before the server serves', async () => {
  const testBed = new StreamTestBed();
  await expect(testBed.stream('/a.json')).rejects.toThrow();
});

test('[H167] a client that reconnects receives all data, whatever `Last-Event-ID` it sends', async () => {
  const testBed = await openStreamTestBed();
  await testBed.write(['PUT', '/a.json', '1']);
  const stream = await testBed.stream('/a.json', { 'last-event-id': '7' });
  expect(stream.take()).toBe(put('/', '1'));
});

test('[H169] a stream is allowed or denied by the credential of its request', async () => {
  const testBed = await openStreamTestBed();
  await testBed.write(['PUT', RULES, '{"rules":{".read":"auth != null"}}']);
  expect((await testBed.stream('/a.json')).response.statusCode).toBe(401);
  expect((await testBed.stream('/a.json?auth=short')).take()).toBe(put('/', 'null'));
  expect((await testBed.stream('/a.json?auth=owner')).take()).toBe(put('/', 'null'));
});
