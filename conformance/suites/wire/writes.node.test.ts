import { beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../drivers/json.ts';
import { openNamespace } from '../../drivers/namespace.ts';
import { changesOf, openRawSocket, type RawSocket } from '../../drivers/socket.ts';

const OK = [expect.any(Number), { s: 'ok', d: '' }];

describe('Writes', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  const read = async (raw: RawSocket, p: string) => (await raw.request('g', { p, q: {} }))['d'];

  test('[W55] the writer receives its own write before the response', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('q', { p: '/echo', h: '' });
    raw.received();
    expect(await raw.exchange('p', { p: '/echo/a', d: { b: 1 } })).toEqual([
      ['d', { p: 'echo/a', d: { b: 1 } }],
      OK,
    ]);
    expect(await raw.exchange('m', { p: '/echo', d: { 'a/b': 2, c: 3 } })).toEqual([
      ['m', { p: 'echo', d: { 'a/b': 2, c: 3 } }],
      OK,
    ]);
  });

  test('[W56] a denied or rejected write pushes nothing', async () => {
    const own = await openNamespace({ rules: { '.read': true } });
    const raw = await openRawSocket(own);
    await raw.request('q', { p: '/', h: '' });
    raw.received();
    expect(await raw.exchange('p', { p: '/x', d: 1 })).toEqual([
      [expect.any(Number), { s: 'permission_denied', d: 'Permission denied' }],
    ]);
  });

  test('[W57] server values are resolved in the data that listeners receive, once for the whole write', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('q', { p: '/resolved', h: '' });
    raw.received();
    const stamp = { '.sv': 'timestamp' };
    const received = await raw.exchange('m', {
      p: '/resolved',
      d: { a: stamp, 'b/c': stamp, n: { '.sv': { increment: 2 } } },
    });
    const [push] = received.map(([, body]) => Object(body).d);
    expect(push).toEqual({ a: expect.any(Number), 'b/c': expect.any(Number), n: 2 });
    expect(push.a).toBe(push['b/c']);
  });

  test('[W58] a value may be written with a priority, and is sent with the priority', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('q', { p: '/prio', h: '' });
    raw.received();
    const value = { a: { '.value': 1, '.priority': 'x' }, b: { c: 1, '.priority': 2 }, '.priority': 3 };
    expect(await raw.exchange('p', { p: '/prio', d: value })).toEqual([['d', { p: 'prio', d: value }], OK]);
    expect(await read(raw, '/prio')).toEqual(value);
  });

  test('[W59] a path that ends in .priority sets, changes and clears only the priority', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/prio-path', d: { a: 1 } });
    for (const priority of [5, 'text', 5.5]) {
      expect(await raw.request('p', { p: '/prio-path/.priority', d: priority })).toEqual({ s: 'ok', d: '' });
      expect(await read(raw, '/prio-path')).toEqual({ a: 1, '.priority': priority });
    }
    await raw.request('p', { p: '/prio-path/.priority', d: null });
    expect(await read(raw, '/prio-path')).toEqual({ a: 1 });
  });

  test('[W60] setting the priority of a node that does not exist is answered ok and creates nothing', async () => {
    const raw = await openRawSocket(ns);
    expect(await raw.request('p', { p: '/nobody/.priority', d: 5 })).toEqual({ s: 'ok', d: '' });
    expect(await raw.request('m', { p: '/nobody', d: { '.priority': 5, 'x/.priority': 1 } })).toEqual({
      s: 'ok',
      d: '',
    });
    expect(await read(raw, '/nobody')).toBeNull();
  });

  test('[W61] a change of only a priority reaches listens without a query', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/prio-push', d: { a: 1 } });
    await raw.request('q', { p: '/prio-push', h: '' });
    raw.received();
    const [push] = await raw.exchange('p', { p: '/prio-push/a/.priority', d: 7 });
    const changes = push === undefined ? {} : changesOf(push).changes;
    expect([
      { 'prio-push/a/.priority': 7 },
      { 'prio-push/a': { '.value': 1, '.priority': 7 } },
    ]).toContainEqual(changes);
  });

  test.each<Json>([true, { a: 1 }, [1]])(
    '[W62] a priority is null, a number or a text; %j is rejected',
    async (priority) => {
      const raw = await openRawSocket(ns);
      await raw.request('p', { p: '/prio-bad', d: 1 });
      expect(await raw.request('p', { p: '/prio-bad/.priority', d: priority })).toMatchObject({
        s: 'failure',
      });
      expect(await read(raw, '/prio-bad')).toBe(1);
    },
  );

  test.each(['/x/.priority/y', '/x/.value', '/.value', '/x/.sv', '/x/.other'])(
    '[W63] no name with a dot except a final .priority is valid in a path: %s',
    async (p) => {
      const raw = await openRawSocket(ns);
      expect(await raw.request('p', { p, d: 1 })).toMatchObject({ s: 'failure', d: expect.any(String) });
    },
  );

  test.each([
    [{ a: 1, 'a/b': 2 }],
    [{ 'a/b/c': 1, 'a/b': 2 }],
    [{ a: 1, '/a': 2 }],
    [{ 'a/b': 1, 'a//b/': 2 }],
    [{ a: 1, 'a/.priority': 2 }],
  ])('[W64] a merge whose paths overlap is rejected as a whole: %j', async (d) => {
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/overlap', d: 'kept' });
    expect(await raw.request('m', { p: '/overlap', d })).toMatchObject({
      s: 'failure',
      d: expect.any(String),
    });
    expect(await read(raw, '/overlap')).toBe('kept');
  });

  test('[W65] each path of a merge replaces the data there, and null deletes the data', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/merge', d: { a: { x: 1, y: 2 }, b: { x: 1, y: 2 }, c: 1, d: 1 } });
    await raw.request('m', {
      p: '/merge',
      d: { a: { z: 3 }, 'b/x': 10, '/b/w': 4, c: null, 'e/f/g': 5, 'd/.priority': 6 },
    });
    expect(await read(raw, '/merge')).toEqual({
      a: { z: 3 },
      b: { x: 10, y: 2, w: 4 },
      d: { '.value': 1, '.priority': 6 },
      e: { f: { g: 5 } },
    });
  });

  test('[W66] .priority in a merge sets the priority of the node itself', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/merge-prio', d: { a: 1 } });
    await raw.request('m', { p: '/merge-prio', d: { '.priority': 3, b: 2 } });
    expect(await read(raw, '/merge-prio')).toEqual({ a: 1, b: 2, '.priority': 3 });
  });

  test('[W67] arrays are stored as children with whole-number keys, null items omitted', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/array', d: ['a', null, ['b'], { c: 1 }] });
    expect(await read(raw, '/array')).toEqual({ 0: 'a', 2: { 0: 'b' }, 3: { c: 1 } });
  });

  test.each([
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['5.0', '5'],
    ['5e0', '5'],
    ['1E2', '100'],
    ['-0', '0'],
    ['-0.0', '0'],
    ['0.1', '0.1'],
    ['1.5', '1.5'],
  ])('[W68] the number %s is kept exactly and sent as %s', async (written, sent) => {
    const raw = await openRawSocket(ns);
    raw.sendFrame(`{"t":"d","d":{"r":1,"a":"p","b":{"p":"/number","d":${written}}}}`);
    raw.sendFrame('{"t":"d","d":{"r":2,"a":"g","b":{"p":"/number","q":{}}}}');
    await raw.untilResponse(2);
    expect(raw.frames.at(-1)).toMatch(new RegExp(`"d":${sent.replace('.', '\\.')}[,}]`));
  });

  test.each([
    ['9223372036854775808', 2 ** 63],
    ['-9223372036854775809', -(2 ** 63)],
    ['123456789012345678901234567890', 123456789012345678901234567890],
    ['1e300', 1e300],
    ['5e-324', 5e-324],
  ])('[W69] the number %s is kept as a double', async (written, double) => {
    const raw = await openRawSocket(ns);
    raw.sendFrame(`{"t":"d","d":{"r":1,"a":"p","b":{"p":"/number","d":${written}}}}`);
    await raw.untilResponse(1);
    raw.sendFrame('{"t":"d","d":{"r":2,"a":"g","b":{"p":"/number","q":{}}}}');
    expect(await raw.untilResponse(2)).toEqual({ s: 'ok', d: double });
  });

  test('[W70] a number beyond the range of doubles is rejected', async () => {
    const raw = await openRawSocket(ns);
    raw.sendFrame('{"t":"d","d":{"r":1,"a":"p","b":{"p":"/number","d":1e400}}}');
    expect(await raw.untilResponse(1)).toMatchObject({ s: 'failure', d: expect.any(String) });
  });

  test.each([
    ['9007199254740993', '2', '9007199254740995'],
    ['9223372036854775806', '1', '9223372036854775807'],
    ['-9223372036854775807', '-1', '-9223372036854775808'],
    ['9223372036854775807', '-9223372036854775807', '0'],
  ])('[W71] whole numbers of 64 bits add exactly: %s and %s', async (base, delta, sum) => {
    const raw = await openRawSocket(ns);
    raw.sendFrame(`{"t":"d","d":{"r":1,"a":"p","b":{"p":"/sum","d":${base}}}}`);
    raw.sendFrame(`{"t":"d","d":{"r":2,"a":"p","b":{"p":"/sum","d":{".sv":{"increment":${delta}}}}}}`);
    raw.sendFrame('{"t":"d","d":{"r":3,"a":"g","b":{"p":"/sum","q":{}}}}');
    await raw.untilResponse(3);
    expect(raw.frames.at(-1)).toMatch(new RegExp(`"d":${sum}[,}]`));
  });

  test('[W72] a sum beyond 64 bits becomes a double, and one beyond the range of doubles is rejected', async () => {
    const raw = await openRawSocket(ns);
    raw.sendFrame('{"t":"d","d":{"r":1,"a":"p","b":{"p":"/over","d":9223372036854775807}}}');
    raw.sendFrame('{"t":"d","d":{"r":2,"a":"p","b":{"p":"/over","d":{".sv":{"increment":1}}}}}');
    raw.sendFrame('{"t":"d","d":{"r":3,"a":"g","b":{"p":"/over","q":{}}}}');
    expect(await raw.untilResponse(3)).toEqual({ s: 'ok', d: 2 ** 63 });
    raw.sendFrame('{"t":"d","d":{"r":4,"a":"p","b":{"p":"/over","d":1.7e308}}}');
    raw.sendFrame('{"t":"d","d":{"r":5,"a":"p","b":{"p":"/over","d":{".sv":{"increment":1.7e308}}}}}');
    expect(await raw.untilResponse(5)).toMatchObject({ s: 'failure', d: expect.any(String) });
    expect(await raw.request('g', { p: '/over', q: {} })).toMatchObject({ s: 'ok' });
  });
});

describe('Hashes and compare-and-set', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  const STALE = { s: 'datastale', d: 'Transaction hash does not match' };

  const VECTORS: readonly (readonly [string, string])[] = [
    ['4', 'eVih19a6ZDz3NL32uVBtg9KSgQY='],
    ['4.5623', 'vf1CL0tIRwXXunHcG/irRECk3lY='],
    ['"hey guys"', 'CUNLXWpCVoJE6z7z1vE57lGaKAU='],
    ['true', 'E5z61QM0lN/U2WsOnusszCTkR8M='],
    ['false', 'aSSNoqcS4oQwJ2xxH20rvpp3zP0='],
    ['0', '7ysMph9WPitGP7poMnMHMVPtUlI='],
    ['-0', '7ysMph9WPitGP7poMnMHMVPtUlI='],
    ['4.0', 'eVih19a6ZDz3NL32uVBtg9KSgQY='],
    ['""', 'Ki0Xy0V6morg0TO3Sxi/jwugYDQ='],
    [
      '{"intNode":4,"doubleNode":4.5623,"stringNode":"hey guys","boolNode":true}',
      '6Mc4jFmNdrLVIlJJjz2/MakTK9I=',
    ],
    ['{"root":{"c":{".value":99,".priority":"abc"},".priority":"def"}}', 'Fm6tzN4CVEu5WxFDZUdTtqbTVaA='],
    ['{"root":{"c":{".value":99,".priority":42},".priority":3.14}}', 'B15QCqrzCxrI5zz1y00arWqFRFg='],
    ['{"a":{".value":1,".priority":2},"b":{".value":2,".priority":1}}', '/3lk7Vfl5OYG6Kw2SkiPXNeExPw='],
    ['{"1":"one","2":"two","10":"ten"}', 'aEa7HuRrp4CAiySog3hGyyeF8qc='],
    ['"unicode ✔ 🐵 🌴 x͢"', 'JoKoFUnbmg3/DlY70KaDWslfYPk='],
  ];

  async function writeText(text: string): Promise<RawSocket> {
    const raw = await openRawSocket(ns);
    raw.sendFrame(`{"t":"d","d":{"r":0,"a":"p","b":{"p":"/hashed","d":${text}}}}`);
    expect(await raw.untilResponse(0)).toEqual({ s: 'ok', d: '' });
    raw.received();
    return raw;
  }

  test.each(VECTORS)('[W73] a listen whose hash is that of the data gets no data: %s', async (text, h) => {
    const raw = await writeText(text);
    expect(await raw.exchange('q', { p: '/hashed', h })).toEqual([[1, { s: 'ok', d: {} }]]);
  });

  test.each(VECTORS)('[W74] a write whose hash is that of the data succeeds: %s', async (text, h) => {
    const raw = await writeText(text);
    expect(await raw.request('p', { p: '/hashed', d: 'next', h })).toEqual({ s: 'ok', d: '' });
    expect(await raw.request('p', { p: '/hashed', d: 'again', h })).toEqual(STALE);
    expect(await raw.request('g', { p: '/hashed', q: {} })).toEqual({ s: 'ok', d: 'next' });
  });

  test('[W75] a listen with another hash, or without one, gets the data', async () => {
    const raw = await writeText('4');
    const push = ['d', { p: 'hashed', d: 4 }];
    const ok = [expect.any(Number), { s: 'ok', d: {} }];
    expect(await raw.exchange('q', { p: '/hashed', h: 'eVih19a6ZDz3NL32uVBtg9KSgQX=' })).toEqual([push, ok]);
    await raw.request('n', { p: '/hashed' });
    raw.received();
    expect(await raw.exchange('q', { p: '/hashed' })).toEqual([push, ok]);
  });

  test('[W76] a write with the empty hash expects no data, and a write without a hash accepts any data', async () => {
    const raw = await openRawSocket(ns);
    expect(await raw.request('p', { p: '/cas', d: 1, h: '' })).toEqual({ s: 'ok', d: '' });
    expect(await raw.request('p', { p: '/cas', d: 2, h: '' })).toEqual(STALE);
    expect(await raw.request('p', { p: '/cas', d: 3 })).toEqual({ s: 'ok', d: '' });
    expect(await raw.request('g', { p: '/cas', q: {} })).toEqual({ s: 'ok', d: 3 });
  });

  test('[W77] a write with a failed precondition changes nothing and pushes nothing', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/stale', d: 1 });
    await raw.request('q', { p: '/stale', h: '' });
    raw.received();
    expect(await raw.exchange('p', { p: '/stale', d: 2, h: 'wrong' })).toEqual([[expect.any(Number), STALE]]);
  });

  test('[W78] the hash in a merge is compared with that of the node at the path of the merge', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/cas-merge', d: 4 });
    expect(await raw.request('m', { p: '/cas-merge', d: { a: 1 }, h: 'wrong' })).toEqual(STALE);
    expect(
      await raw.request('m', { p: '/cas-merge', d: { a: 1 }, h: 'eVih19a6ZDz3NL32uVBtg9KSgQY=' }),
    ).toEqual({ s: 'ok', d: '' });
  });

  test('[W79] the newer data arrives before the response datastale', async () => {
    const raw = await openRawSocket(ns);
    const other = await openRawSocket(ns);
    await other.request('p', { p: '/race', d: 4 });
    raw.post('q', { p: '/race', h: '' });
    const first = raw.post('p', { p: '/race', d: 1, h: '' });
    await raw.untilResponse(first);
    expect(raw.received()).toEqual([
      ['d', { p: 'race', d: 4 }],
      [1, { s: 'ok', d: {} }],
      [2, STALE],
    ]);
    await other.request('p', { p: '/race', d: 7 });
    expect(await raw.exchange('p', { p: '/race', d: 5, h: 'eVih19a6ZDz3NL32uVBtg9KSgQY=' })).toEqual([
      ['d', { p: 'race', d: 7 }],
      [3, STALE],
    ]);
  });

  test('[W80] a compare-and-set without write permission is denied, regardless of its hash', async () => {
    const own = await openNamespace({ rules: { '.read': true } });
    const raw = await openRawSocket(own);
    for (const h of ['', 'wrong']) {
      expect(await raw.request('p', { p: '/x', d: 1, h })).toEqual({
        s: 'permission_denied',
        d: 'Permission denied',
      });
    }
  });

  test('[W80] a client that may read, and is denied only because of the value that it would write, gets datastale for a wrong hash', async () => {
    const rules = { '.write': true, '.validate': 'newData.val() === data.val() + 1' };
    const closed = { '.read': true, '.write': false, '.validate': 'newData.isNumber()' };
    const own = await openNamespace({ rules: { seen: { ...rules, '.read': true }, hidden: rules, closed } });
    const raw = await openRawSocket(own);
    const put = async (p: string, d: number, h: string) => (await raw.request('p', { p, d, h }))['s'];
    expect(await put('/seen', 1, 'wrong')).toBe('datastale');
    expect(await put('/seen', 1, '')).toBe('permission_denied');
    expect(await put('/hidden', 1, 'wrong')).toBe('permission_denied');
    expect(await put('/hidden', 1, '')).toBe('permission_denied');
    // The rules allow no write here.
    expect(await put('/closed', 1, 'wrong')).toBe('permission_denied');
  });

  test('[W81] writes sent after a compare-and-set see its result', async () => {
    const raw = await openRawSocket(ns);
    raw.post('p', { p: '/pipe', d: 4 });
    raw.post('p', { p: '/pipe', d: { '.sv': { increment: 1 } }, h: 'eVih19a6ZDz3NL32uVBtg9KSgQY=' });
    raw.post('p', { p: '/pipe', d: 0, h: 'eVih19a6ZDz3NL32uVBtg9KSgQY=' });
    raw.post('g', { p: '/pipe', q: {} });
    await raw.untilResponse(4);
    expect(raw.received().map(([, body]) => body)).toEqual([
      { s: 'ok', d: '' },
      { s: 'ok', d: '' },
      STALE,
      { s: 'ok', d: 5 },
    ]);
  });
});
