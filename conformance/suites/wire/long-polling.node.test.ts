import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { unsignedToken } from '../../drivers/credentials.ts';
import type { Json } from '../../drivers/json.ts';
import { openNamespace } from '../../drivers/namespace.ts';
import { encodeMessage, openRawPoller, type RawSegment, searchOf } from '../../drivers/poller.ts';
import { openDataDir, startServer } from '../../drivers/server-process.ts';
import { openRawSocket } from '../../drivers/socket.ts';
import { until } from '../../drivers/until.ts';

const CLOSE = `pLPCommand('close');`;
const { host } = new URL(inject('serverUrl'));

describe('Long polling', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  /** Sends a request to `/.lp` with this query string, unchanged. */
  function send(search: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${inject('serverUrl')}/.lp?${search}`, init);
  }

  test('[W128] responses are scripts that any page may load and no proxy caches', async () => {
    for (const search of [`start=t&cb=1&v=5&ns=${ns}`, `id=x&pw=y&ns=${ns}`]) {
      const { status, headers } = await send(search);
      expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
        200,
        'application/javascript; charset=utf-8',
        'no-cache',
      ]);
      for (const name of ['content-security-policy', 'cross-origin-resource-policy', 'x-frame-options'])
        expect(headers.get(name)).toBeNull();
    }
  });

  test('[W129][W133] the response to a start names the connection and contains the handshake as response 0', async () => {
    const poller = await openRawPoller(ns);
    expect([poller.id, poller.password]).toEqual([
      expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    ]);
    expect([...poller.answers]).toEqual([
      [0, [{ t: 'c', d: { t: 'h', d: { ts: expect.any(Number), v: '5', h: host, s: expect.any(String) } } }]],
    ]);
    const other = await openRawPoller(ns);
    expect(new Set([poller.id, poller.password, other.id, other.password]).size).toBe(4);
  });

  test.each([
    '',
    '&cb=',
    '&cb=1x',
    '&cb=-1',
    '&cb=1%5D)%3Balert(1)%2F%2F',
    '&cb=%22%2Balert(1)%2B%22',
    '&cb=1%0A',
  ])('[W130] a start whose cb is not a decimal number is rejected and not quoted: %s', async (callback) => {
    const answer = await send(`start=t&v=5&ns=${ns}${callback}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      400,
      'application/json; charset=utf-8',
    ]);
    expect(await answer.json()).toEqual({ error: expect.stringContaining('such as cb=1') });
  });

  test.each(['&v=4', ''])(
    '[W131] a start of another version is answered with a shutdown message and opens no connection: "%s"',
    async (version) => {
      const poller = await openRawPoller(ns, { search: `start=t&cb=7&ns=${ns}${version}` });
      expect(poller.messages).toEqual([{ t: 'c', d: { t: 's', d: expect.stringContaining('version 5') } }]);
      expect([poller.id, poller.commands]).toEqual(['', []]);
    },
  );

  test('[W132] a start or a socket whose `ls` names an open session first runs the onDisconnect writes of that session, and ends it', async () => {
    const watcher = await openRawSocket(ns);
    await watcher.request('q', { p: '/takeover', h: '' });
    const first = await openRawSocket(ns);
    await first.request('o', { p: '/takeover', d: 'offline 1' });
    watcher.received();
    const second = await openRawPoller(ns, {
      search: `start=t&cb=7&v=5&ns=${ns}&ls=${first.handshake()['s']}`,
    });
    await second.request('p', { p: '/takeover', d: 'online 1' });
    await first.untilClosed();
    await second.request('o', { p: '/takeover', d: 'offline 2' });
    const waiting = second.poll();
    const third = await openRawSocket(ns, { search: `v=5&ns=${ns}&ls=${second.sessionId}` });
    await third.request('p', { p: '/takeover', d: 'online 2' });
    expect(await waiting).toBe(CLOSE);
    expect((await watcher.pushes()).map(([, body]) => Object(body).d)).toEqual([
      'offline 1',
      'online 1',
      'offline 2',
      'online 2',
    ]);
  });

  test('[W133] a request names its database by ns or by its host, by GET or POST', async () => {
    const poller = await openRawPoller(ns.toUpperCase());
    await poller.request('p', { p: '/named', d: 1 });
    const posted = await poller.poll(searchOf(poller.segmentsOf(poller.requestOf('g', { p: '/named' }))), {
      method: 'POST',
    });
    await until(() => expect(poller.response(2)).toEqual({ s: 'ok', d: 1 }));
    expect(posted).toContain('"r":2');
  });

  test('[W134][W135][W136] a newer request releases the previous one, and brings its own response', async () => {
    const poller = await openRawPoller(ns);
    const polls = [poller.poll(), poller.poll()];
    expect(await Promise.race(polls)).toBe('pRTLPCB(1,[]);');
    const answer = await poller.send(poller.requestOf('q', { p: '/none', h: '' }));
    expect(answer).toMatch(/^pRTLPCB\([0-9]+,\[\{"t":"d",.*\}\]\);$/);
    expect(poller.messages.slice(1)).toEqual([
      { t: 'd', d: { a: 'd', b: { p: 'none', d: null } } },
      { t: 'd', d: { r: 1, b: { s: 'ok', d: {} } } },
    ]);
  });

  test('[W134] many requests sent without waiting are answered once each, without a gap in the numbers', async () => {
    const poller = await openRawPoller(ns);
    const messages = Array.from({ length: 60 }, (_, i) => poller.requestOf('p', { p: `/many/k${i}`, d: i }));
    const sent = messages.map((message) => poller.send(message));
    expect(await poller.pollUntilResponse(60)).toEqual({ s: 'ok', d: '' });
    // The last of the requests waits until this poll releases it.
    void poller.poll();
    await Promise.all(sent);
    expect([...poller.answers.keys()].sort((a, b) => a - b)).toEqual(
      Array.from({ length: poller.answers.size }, (_, i) => i),
    );
    const numbers = poller.messages.slice(1).map(({ d }) => Object(d)['r']);
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
  });

  test('[W138][W139] segments of several requests are accepted in any order and more than once', async () => {
    const poller = await openRawPoller(ns);
    const text = 'ø✔🐵'.repeat(50);
    const segments: readonly RawSegment[] = [
      ...poller.segmentsOf(poller.requestOf('p', { p: '/order/a', d: text }), 5),
      ...poller.segmentsOf(poller.requestOf('g', { p: '/order/a' })),
      ...poller.segmentsOf(poller.requestOf('p', { p: '/order/a', d: 'later' }), 2),
    ];
    const answers: Promise<string>[] = [];
    for (const i of [7, 4, 5, 4, 1, 6, 0, 3, 2, 2])
      answers.push(poller.poll(searchOf(segments.filter((_, index) => index === i))));
    expect(await poller.pollUntilResponse(3)).toEqual({ s: 'ok', d: '' });
    expect(poller.response(2)).toEqual({ s: 'ok', d: text });
    void Promise.allSettled(answers);
  });

  test('[W138] Base64 without padding is accepted', async () => {
    const poller = await openRawPoller(ns);
    const data = encodeMessage('{"t":"d","d":{"r":1,"a":"echo","b":{"d":"x"}}}').replaceAll('.', '');
    await poller.poll(`&seg0=0&ts0=1&d0=${data}`);
    expect(poller.response(1)).toEqual({ s: 'ok', d: 'x' });
  });

  test.each([
    ['characters that are not Base64', '&seg0=0&ts0=1&d0=%7B%7D'],
    ['text that is not JSON', `&seg0=0&ts0=1&d0=${encodeMessage('{')}`],
    ['JSON that is not a message', `&seg0=0&ts0=1&d0=${encodeMessage('[1]')}`],
    ['padding in the middle', '&seg0=0&ts0=1&d0=e.30'],
    ['no data', '&seg0=0&ts0=1'],
    ['a number that is not valid', '&seg0=x&ts0=1&d0=e30.'],
    ['a negative number', '&seg0=-1&ts0=1&d0=e30.'],
    ['an enormous number', '&seg0=999999999999999999999&ts0=1&d0=e30.'],
    ['a number far ahead', '&seg0=1000&ts0=1&d0=e30.'],
    ['a count of zero', '&seg0=0&ts0=0&d0=e30.'],
    ['counts that disagree', '&seg0=0&ts0=2&d0=e3&seg1=1&ts1=3&d1=0.'],
    ['a huge segment', `&seg0=0&ts0=1&d0=${'A'.repeat(20_000)}`],
  ])('[W140][W149] a client that sends %s is disconnected, and no other client is', async (_name, search) => {
    const bystander = await openRawPoller(ns);
    const poller = await openRawPoller(ns);
    const kept = poller.poll();
    const script = await poller.poll(search);
    expect(script).toBe(CLOSE);
    await kept;
    expect(await poller.poll()).toBe(CLOSE);
    expect(await bystander.request('echo', { d: 'alive' })).toEqual({ s: 'ok', d: 'alive' });
  });

  test('[W141] a message beyond the size limit disconnects its sender, and no part of it is executed', async () => {
    const data = await openDataDir();
    const server = await startServer({ dataDir: data.path, args: ['--max-message-bytes', '20000'] });
    onTestFinished(async () => {
      await server.stop();
      await data.remove();
    });
    const poller = await openRawPoller('large', { url: server.url });
    expect(await poller.request('p', { p: '/a', d: 1 })).toEqual({ s: 'ok', d: '' });
    const segments = poller.segmentsOf(poller.requestOf('p', { p: '/a', d: 'x'.repeat(20_000) }), 20);
    const polls: Promise<string>[] = [];
    for (const segment of segments) {
      polls.push(poller.poll(searchOf([segment])));
      // Each poll is released by the next one, so they arrive in order.
      await polls.at(-2);
    }
    await Promise.all(polls);
    expect(poller.commands).toContainEqual(['close']);
    const other = await openRawPoller('large', { url: server.url });
    expect(await other.request('g', { p: '/a' })).toEqual({ s: 'ok', d: 1 });
  });

  test('[W142] a large response is one script', async () => {
    const writer = await openRawSocket(ns);
    const text = 'x✔'.repeat(1_000_000);
    await writer.request('p', { p: '/large', d: text });
    const poller = await openRawPoller(ns);
    const read = await poller.request('g', { p: '/large' });
    expect(read['d'] === text).toBe(true);
  });

  test('[W143] line separators and ends of scripts are escaped', async () => {
    const poller = await openRawPoller(ns);
    const text = 'a\u2028b\u2029c</script><!--';
    const sent = poller.requestOf('echo', { d: text });
    let script = await poller.send(sent);
    while (poller.response(1) === undefined) script = await poller.poll();
    expect(script).not.toMatch(/\u2028|\u2029|<\//);
    expect(poller.response(1)).toEqual({ s: 'ok', d: text });
  });

  test('[W144] a member called __proto__ arrives as a member', async () => {
    const poller = await openRawPoller(ns);
    const put = '{"t":"d","d":{"r":1,"a":"p","b":{"p":"/proto","d":{"__proto__":{"x":1}}}}}';
    await poller.poll(searchOf([{ number: 0, count: 1, data: encodeMessage(put) }]));
    expect(poller.response(1)).toEqual({ s: 'ok', d: '' });
    const get = JSON.stringify({ t: 'd', d: { r: 2, a: 'g', b: { p: '/proto' } } });
    await poller.poll(searchOf([{ number: 1, count: 1, data: encodeMessage(get) }]));
    expect(JSON.stringify(poller.response(2))).toBe('{"s":"ok","d":{"__proto__":{"x":1}}}');
  });

  test('[W145] unknown, wrong and foreign credentials get the same response, and change nothing', async () => {
    const poller = await openRawPoller(ns);
    const elsewhere = await openNamespace();
    const kept = poller.poll();
    const write = searchOf([
      { number: 0, count: 1, data: encodeMessage('{"t":"d","d":{"r":1,"a":"p","b":{"p":"/stolen","d":1}}}') },
    ]);
    const unknown = [
      `id=${poller.id}&pw=${poller.password.slice(1)}x&ns=${ns}`,
      `id=${poller.id}&pw=&ns=${ns}`,
      `id=${poller.id}&ns=${ns}`,
      `pw=${poller.password}&ns=${ns}`,
      `id=unknown&pw=${poller.password}&ns=${ns}`,
      `id=__proto__&pw=${poller.password}&ns=${ns}`,
    ];
    for (const credential of [...unknown, `id=${poller.id}&pw=${poller.password}&ns=${elsewhere}`]) {
      const answer = await send(`${credential}${write}`);
      expect([answer.status, await answer.text()]).toEqual([200, CLOSE]);
    }
    for (const credential of unknown) expect((await send(`disconn=t&${credential}`)).status).toBe(200);
    const read = poller.send({ t: 'd', d: { r: 1, a: 'g', b: { p: '/stolen' } } });
    expect(await kept).toBe('pRTLPCB(1,[]);');
    await read;
    expect(poller.response(1)).toEqual({ s: 'ok', d: null });
  });

  test('[W146] a request with dframe is answered with a page that contains nothing of the address', async () => {
    const answer = await send(`dframe=t&id=%3Cb%3E&pw=%3C/script%3E&ns=${ns}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const page = await answer.text();
    expect(page).toMatch(/disconn.*pagehide.*sendBeacon/s);
    expect(page).not.toMatch(/<b>|<\/script><\/script>/);
  });

  test.each(['GET', 'POST'])(
    '[W147][W149] a %s request with disconn ends the session immediately',
    async (method) => {
      const watcher = await openRawSocket(ns);
      const path = `/left/${method}`;
      const poller = await openRawPoller(ns);
      await poller.request('o', { p: path, d: 'offline' });
      const kept = poller.poll();
      const answer = await send(`disconn=t&${poller.credential}`, { method });
      expect([answer.status, await answer.text()]).toEqual([200, '']);
      expect(await kept).toBe(CLOSE);
      await until(async () =>
        expect(await watcher.request('g', { p: path })).toEqual({ s: 'ok', d: 'offline' }),
      );
      expect(await poller.poll()).toBe(CLOSE);
      expect((await send(`disconn=t&${poller.credential}`, { method })).status).toBe(200);
    },
  );

  test('[W169] a client that aborts its poll, and sends nothing for 5 s, is treated as disconnected', async () => {
    const watcher = await openRawSocket(ns);
    const poller = await openRawPoller(ns);
    await poller.request('o', { p: '/given-up', d: 'offline' });
    const client = new AbortController();
    const polls = [1, 2].map(() => poller.poll('', { signal: client.signal }));
    // The second poll to arrive has released the first, and waits.
    await Promise.race(polls);
    client.abort();
    await expect(Promise.all(polls)).rejects.toThrow('aborted');
    await until(async () =>
      expect(await watcher.request('g', { p: '/given-up' })).toEqual({ s: 'ok', d: 'offline' }),
    );
  });

  test('[W154] a server that stops answers polls with a close command, and runs the onDisconnect writes', async () => {
    const data = await openDataDir();
    onTestFinished(data.remove);
    const first = await startServer({ dataDir: data.path });
    const poller = await openRawPoller('stopping', { url: first.url });
    await poller.request('o', { p: '/state', d: 'offline' });
    const polls = [poller.poll(), poller.poll()];
    // The second poll to arrive has released the first, and waits.
    expect(await Promise.race(polls)).toMatch(/\[\]/);
    await first.stop();
    expect(await Promise.all(polls)).toContain(CLOSE);
    const second = await startServer({ dataDir: data.path });
    onTestFinished(() => second.stop());
    const reader = await openRawPoller('stopping', { url: second.url });
    expect(await reader.request('g', { p: '/state' })).toEqual({ s: 'ok', d: 'offline' });
  });

  test('[W155] requests in polls have the same effect as on a socket', async () => {
    const poller = await openRawPoller(ns);
    const hash = 'JOwG0Vn7NXPFlmnj1ffqrKKB7Ck=';
    const bodies: [string, Json, Json][] = [
      ['auth', { cred: unsignedToken('alice') }, { s: 'ok', d: { auth: expect.anything(), expires: null } }],
      ['q', { p: '/mean', h: '' }, { s: 'ok', d: {} }],
      ['p', { p: '/mean', d: 'x' }, { s: 'ok', d: '' }],
      ['p', { p: '/mean', d: 'y', h: hash }, { s: 'datastale', d: expect.any(String) }],
      ['m', { p: '/', d: { 'mean/a': 1 } }, { s: 'ok', d: '' }],
      ['n', { p: '/mean' }, { s: 'ok', d: '' }],
      ['zzz', {}, { s: 'error', d: expect.any(String) }],
    ];
    for (const [action, body, response] of bodies)
      expect(await poller.request(action, body)).toEqual(response);
    expect(poller.pushes).toEqual([
      ['d', { p: 'mean', d: null }],
      ['d', { p: 'mean', d: 'x' }],
      ['d', { p: 'mean/a', d: 1 }],
    ]);
  });

  test('[W156] half a surrogate pair is read as U+FFFD, and disconnects no client', async () => {
    const poller = await openRawPoller(ns);
    const bytes = Buffer.concat([
      Buffer.from('{"t":"d","d":{"r":1,"a":"echo","b":{"d":"a'),
      Buffer.from([0xed, 0xa0, 0xbd]),
      Buffer.from('b"}}}'),
    ]);
    await poller.poll(`&seg0=0&ts0=1&d0=${bytes.toString('base64url')}`);
    expect(poller.response(1)).toEqual({ s: 'ok', d: expect.stringMatching(/^a\ufffd+b$/) });
  });
});
