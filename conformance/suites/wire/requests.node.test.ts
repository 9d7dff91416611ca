import { beforeAll, describe, expect, test } from 'vitest';
import { unsignedToken } from '../../drivers/credentials.ts';
import type { Json } from '../../drivers/json.ts';
import { openNamespace, writeRules } from '../../drivers/namespace.ts';
import { openRawSocket } from '../../drivers/socket.ts';

describe('Requests', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  test.each<readonly [string, Json, Json]>([
    ['s', { c: { 'sdk.js.12-0-0': 1 } }, ''],
    ['q', { p: '/shape', h: '' }, {}],
    ['q', { p: '/shape', q: { l: 1, vf: 'l' }, t: 1, h: '' }, {}],
    ['q', { p: '/shape', q: { l: 1, vf: 'l', i: 'w' }, t: 1, h: '' }, { w: ['no_index'] }],
    ['l', { p: '/shape', h: '' }, {}],
    ['n', { p: '/shape' }, ''],
    ['n', { p: '/shape', q: { l: 1 }, t: 77 }, ''],
    ['g', { p: '/nothing-here', q: {} }, null],
    ['p', { p: '/shape/p', d: 1 }, ''],
    ['m', { p: '/shape', d: { m: 1 } }, ''],
    ['m', { p: '/shape', d: {} }, ''],
    ['o', { p: '/shape/o', d: 1 }, ''],
    ['om', { p: '/shape', d: { om: 1 } }, ''],
    ['oc', { p: '/shape', d: null }, ''],
    ['appcheck', { token: 'any' }, ''],
    ['unappeck', {}, ''],
    ['unappcheck', {}, ''],
    ['echo', { d: { any: ['thing', 1, null] } }, { any: ['thing', 1, null] }],
    ['gauth', { cred: 'owner' }, { auth: null, expires: null }],
    ['auth', { cred: 'owner' }, { auth: null, expires: null }],
  ])('[W26] the action %s %j is answered ok with %j', async (action, body, d) => {
    const raw = await openRawSocket(ns);
    expect(await raw.request(action, body)).toEqual({ s: 'ok', d });
  });

  test('[W27] unauth is answered ok', async () => {
    const raw = await openRawSocket(ns);
    expect(await raw.request('unauth', {})).toMatchObject({ s: 'ok' });
  });

  test('[W28] an unknown action is rejected with a sentence, and the connection is kept', async () => {
    const raw = await openRawSocket(ns);
    expect(await raw.request('zzz', {})).toEqual({ s: 'error', d: expect.any(String) });
    expect(await raw.request('s', { c: {} })).toEqual({ s: 'ok', d: '' });
  });

  test('[W29] the request numbers 0 and 2147483648 are valid, and are returned as whole numbers', async () => {
    const raw = await openRawSocket(ns);
    raw.sendFrame('{"t":"d","d":{"r":0,"a":"s","b":{"c":{}}}}');
    expect(await raw.untilResponse(0)).toEqual({ s: 'ok', d: '' });
    raw.sendFrame('{"t":"d","d":{"r":2147483648,"a":"s","b":{"c":{}}}}');
    await raw.untilResponse(2147483648);
    expect(raw.frames.at(-1)).toContain('"r":2147483648,');
  });

  test('[W30] unknown fields are ignored', async () => {
    const raw = await openRawSocket(ns);
    raw.sendFrame('{"x":1,"t":"d","d":{"y":2,"r":1,"a":"p","b":{"z":3,"p":"/unknown-field","d":1}}}');
    expect(await raw.untilResponse(1)).toEqual({ s: 'ok', d: '' });
  });

  test('[W31] responses arrive in the order of the requests, one each', async () => {
    const raw = await openRawSocket(ns);
    for (let i = 0; i < 200; i++) {
      raw.post(['p', 'g', 'm', 's', 'zzz', 'q', 'n', 'echo'][i % 8] ?? '', {
        p: '/order',
        d: { i },
        q: {},
        h: '',
        c: {},
      });
    }
    await raw.untilResponse(200);
    const numbers = raw.received().flatMap(([head]) => (typeof head === 'number' ? [head] : []));
    expect(numbers).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
  });

  test.each([
    ['q', {}],
    ['q', { p: 5, h: '' }],
    ['q', null],
    ['q', 'text'],
    ['n', {}],
    ['g', { p: 7, q: {} }],
    ['p', { d: 1 }],
    ['p', { p: '/no-data' }],
    ['m', { p: '/x', d: 5 }],
    ['m', { p: '/x', d: null }],
    ['m', { p: '/x', d: [1] }],
    ['om', { p: '/x', d: 'y' }],
    ['o', { p: '/x' }],
    ['auth', {}],
    ['auth', { cred: 5 }],
    ['gauth', null],
  ] as const)(
    '[W32] a body of the wrong shape is rejected with a sentence, and the connection is kept: %s %j',
    async (action, body) => {
      const raw = await openRawSocket(ns);
      const answer = await raw.request(action, body);
      expect(answer['s']).not.toBe('ok');
      expect(answer['d']).toBeTypeOf('string');
      expect(await raw.request('s', { c: {} })).toEqual({ s: 'ok', d: '' });
    },
  );

  test('[W33] paths may have leading, trailing and double slashes', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/slashes/a/b', d: 1 });
    for (const p of ['slashes/a/b', '/slashes/a/b/', '//slashes//a/b', 'slashes/a//b']) {
      expect(await raw.request('g', { p, q: {} })).toEqual({ s: 'ok', d: 1 });
    }
  });

  test('[W34] paths are not percent-decoded', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/percent/a%20b', d: 1 });
    expect(await raw.request('g', { p: '/percent', q: {} })).toEqual({ s: 'ok', d: { 'a%20b': 1 } });
  });

  const INVALID_KEYS = [
    'a.b',
    'a#b',
    'a$b',
    'a[b',
    'a]b',
    'a\u0000b',
    'a\u001fb',
    'a\u007fb',
    'a\nb',
    'x'.repeat(769),
    'é'.repeat(385),
  ];
  test.each(INVALID_KEYS)('[W35] an illegal key is rejected in paths, data and merges: %j', async (key) => {
    const raw = await openRawSocket(ns);
    const requests: readonly (readonly [string, Json])[] = [
      ['p', { p: `/bad/${key}`, d: 1 }],
      ['p', { p: '/bad', d: { [key]: 1 } }],
      ['p', { p: '/bad', d: { deep: { [key]: 1 } } }],
      ['m', { p: `/bad/${key}`, d: { x: 1 } }],
      ['m', { p: '/bad', d: { [key]: 1 } }],
      ['m', { p: '/bad', d: { ok: 1, x: { [key]: 1 } } }],
      ['o', { p: `/bad/${key}`, d: 1 }],
      ['om', { p: '/bad', d: { [key]: 1 } }],
      ['q', { p: `/bad/${key}`, h: '' }],
      ['g', { p: `/bad/${key}`, q: {} }],
    ];
    for (const [action, body] of requests) {
      expect(await raw.request(action, body)).toEqual({ s: 'failure', d: expect.any(String) });
    }
    expect(await raw.request('g', { p: '/bad', q: {} })).toEqual({ s: 'ok', d: null });
  });

  test('[W36] a key may have 768 bytes', async () => {
    const own = await openRawSocket(await openNamespace());
    expect(await own.request('p', { p: '', d: { ['é'.repeat(384)]: 1 } })).toEqual({ s: 'ok', d: '' });
    expect(await own.request('g', { p: '', q: {} })).toEqual({ s: 'ok', d: { ['é'.repeat(384)]: 1 } });
  });

  test('[W37] data may be at most 32 levels deep', async () => {
    const own = await openRawSocket(await openNamespace());
    const nest = (depth: number): Json => (depth === 0 ? 1 : { k: nest(depth - 1) });
    const path = (depth: number) => Array.from({ length: depth }, () => 'k').join('/');
    expect(await own.request('p', { p: '', d: nest(32) })).toEqual({ s: 'ok', d: '' });
    expect(await own.request('p', { p: path(32), d: 2 })).toEqual({ s: 'ok', d: '' });
    expect(await own.request('m', { p: path(30), d: { 'k/k': 3 } })).toEqual({ s: 'ok', d: '' });
    const rejected = { s: 'failure', d: expect.any(String) };
    expect(await own.request('p', { p: '', d: nest(33) })).toEqual(rejected);
    expect(await own.request('p', { p: path(33), d: 1 })).toEqual(rejected);
    expect(await own.request('p', { p: path(31), d: nest(2) })).toEqual(rejected);
    expect(await own.request('m', { p: path(30), d: { 'k/k/k': 3 } })).toEqual(rejected);
    expect(await own.request('o', { p: path(33), d: 1 })).toEqual(rejected);
    expect(await own.request('g', { p: path(32), q: {} })).toEqual({ s: 'ok', d: 3 });
  });

  test.each<Json>([
    { '.value': {} },
    { '.value': { a: 1 } },
    { '.value': 1, a: 2 },
    { '.sv': 'nothing' },
    { '.sv': 5 },
    { '.sv': { increment: 'x' } },
    { '.sv': { decrement: 1 } },
    { '.sv': 'timestamp', a: 1 },
    { a: 1, '.priority': true },
    { a: 1, '.priority': {} },
    { a: 1, '.priority': [1] },
    { '.other': 1 },
    { a: { '.other': 1 } },
    { '': 1 },
  ])('[W38] an illegal value is rejected, and nothing changes: %j', async (value) => {
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/values', d: 'kept' });
    const rejected = { s: 'failure', d: expect.any(String) };
    expect(await raw.request('p', { p: '/values', d: value })).toEqual(rejected);
    expect(await raw.request('p', { p: '/values', d: { deep: value } })).toEqual(rejected);
    expect(await raw.request('m', { p: '/values', d: { x: 1, y: value } })).toEqual(rejected);
    expect(await raw.request('o', { p: '/values', d: value })).toEqual(rejected);
    expect(await raw.request('g', { p: '/values', q: {} })).toEqual({ s: 'ok', d: 'kept' });
  });

  test('[W39] a text of 10 MB is stored, and a longer one is rejected', async () => {
    const raw = await openRawSocket(ns);
    const limit = 10 * 1024 * 1024;
    const sendBig = (value: string) => raw.request('p', { p: '/big', d: value });
    expect(await sendBig('x'.repeat(limit))).toEqual({ s: 'ok', d: '' });
    expect(await sendBig('x'.repeat(limit + 1))).toEqual({
      s: expect.not.stringMatching(/^ok$/),
      d: expect.any(String),
    });
    expect(await raw.request('p', { p: '/big', d: null })).toEqual({ s: 'ok', d: '' });
  });

  test.each<readonly [string, Json]>([
    ['p', { p: '/.info', d: 1 }],
    ['p', { p: '/.info/connected', d: true }],
    ['m', { p: '/.info', d: { x: 1 } }],
    ['m', { p: '/', d: { '.info/x': 1 } }],
    ['p', { p: '/', d: { '.info': { x: 1 } } }],
    ['o', { p: '/.info/x', d: 1 }],
    ['om', { p: '/', d: { '.info/x': 1 } }],
  ])('[W40] nothing is written at or below .info: %s %j', async (action, body) => {
    const raw = await openRawSocket(ns);
    expect(await raw.request(action, body)).toEqual({ s: 'failure', d: expect.any(String) });
  });

  test.each<Json>([
    { l: 0 },
    { l: -1 },
    { l: 1.5 },
    { l: 'x' },
    { l: 2, vf: 'x' },
    { i: 5 },
    { i: 'a.b' },
    { i: '' },
    { sp: {} },
    { sp: [1] },
    { ep: { a: 1 } },
    { sp: 1, sn: 5 },
    { i: '.key', sp: 5 },
    { sp: 1, sin: 'no' },
    [],
    'text',
    5,
  ])(
    '[W41] a query with a member of the wrong shape is rejected, and the connection is kept: %j',
    async (q) => {
      const raw = await openRawSocket(ns);
      const rejected = { s: 'failure', d: expect.any(String) };
      expect(await raw.request('q', { p: '/queries', q, t: 1, h: '' })).toEqual(rejected);
      expect(await raw.request('g', { p: '/queries', q })).toEqual(rejected);
    },
  );

  test('[W42] a query needs a whole number as its tag', async () => {
    const raw = await openRawSocket(ns);
    for (const tag of [undefined, 'x', 1.5, null]) {
      const body = { p: '/queries', q: { l: 1, vf: 'l' }, h: '', ...(tag === undefined ? {} : { t: tag }) };
      expect(await raw.request('q', body)).toEqual({ s: 'failure', d: expect.any(String) });
    }
  });

  test('[W43] a rejected request does not affect the requests around it', async () => {
    const raw = await openRawSocket(ns);
    raw.post('p', { p: '/around/a', d: 1 });
    raw.post('p', { p: '/around/b.c', d: 1 });
    raw.post('p', { p: '/around/d', d: 1 });
    await raw.untilResponse(3);
    expect(await raw.request('g', { p: '/around', q: {} })).toEqual({ s: 'ok', d: { a: 1, d: 1 } });
  });
});

describe('Sign-in', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace({
      rules: {
        users: { '.read': 'auth != null', '.write': 'auth != null' },
        open: { '.read': true, '.write': true },
      },
    });
  });

  test('[W44] an unsigned token is answered with its user, and never expires', async () => {
    const raw = await openRawSocket(ns);
    expect(await raw.request('auth', { cred: unsignedToken('alice') })).toEqual({
      s: 'ok',
      d: {
        auth: {
          uid: 'alice',
          provider: 'custom',
          token: expect.objectContaining({ sub: 'alice', user_id: 'alice' }),
        },
        expires: null,
      },
    });
  });

  test.each(['bad.bad.bad', 'x', 'a.b', 'eyJhbGciOiJub25lIn0.W10.'])(
    '[W45] an unreadable credential is rejected as invalid_token, and the connection is kept: %j',
    async (cred) => {
      const raw = await openRawSocket(ns);
      expect(await raw.request('auth', { cred })).toEqual({
        s: 'invalid_token',
        d: 'Could not parse auth token.',
      });
      expect(await raw.request('p', { p: '/users/x', d: 1 })).toEqual({
        s: 'permission_denied',
        d: 'Permission denied',
      });
    },
  );

  test('[W46] a failed sign-in removes the previous principal', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('auth', { cred: unsignedToken('alice') });
    await raw.request('auth', { cred: 'bad.bad.bad' });
    expect(await raw.request('g', { p: '/users', q: {} })).toEqual({
      s: 'permission_denied',
      d: 'Permission denied',
    });
  });

  test('[W47] requests sent after a sign-in, without waiting for its response, have the rights of the user', async () => {
    const raw = await openRawSocket(ns);
    raw.post('p', { p: '/users/a', d: 1 });
    raw.post('auth', { cred: unsignedToken('alice') });
    raw.post('p', { p: '/users/a', d: 2 });
    raw.post('unauth', {});
    raw.post('p', { p: '/users/a', d: 3 });
    await raw.untilResponse(5);
    const statuses = raw.received().map(([, body]) => Object(body).s);
    expect(statuses).toEqual(['permission_denied', 'ok', 'ok', 'ok', 'permission_denied']);
  });

  test('[W48] the owner may impersonate a principal, or an anonymous caller', async () => {
    const raw = await openRawSocket(ns);
    expect(await raw.request('gauth', { cred: 'owner', authvar: { uid: 'worker' } })).toEqual({
      s: 'ok',
      d: { auth: { uid: 'worker' }, expires: null },
    });
    expect(await raw.request('p', { p: '/users/a', d: 1 })).toEqual({ s: 'ok', d: '' });
    expect(await raw.request('p', { p: '/closed', d: 1 })).toMatchObject({ s: 'permission_denied' });
    await raw.request('gauth', { cred: 'owner', noauth: true });
    expect(await raw.request('p', { p: '/users/a', d: 1 })).toMatchObject({ s: 'permission_denied' });
    await raw.request('gauth', { cred: 'owner', authvar: null });
    expect(await raw.request('p', { p: '/users/a', d: 1 })).toMatchObject({ s: 'permission_denied' });
    await raw.request('gauth', { cred: 'owner' });
    expect(await raw.request('p', { p: '/closed', d: 1 })).toEqual({ s: 'ok', d: '' });
  });

  test('[W49] `noauth` of any caller except the owner is ignored', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('auth', { cred: unsignedToken('alice'), noauth: true });
    expect(await raw.request('p', { p: '/users/a', d: 1 })).toEqual({ s: 'ok', d: '' });
  });

  test('[W50] before its response, unauth revokes the listens that need a user, and names the query of a listen that has one', async () => {
    const raw = await openRawSocket(ns);
    const q = { l: 10, vf: 'r' };
    await raw.request('auth', { cred: unsignedToken('alice') });
    await raw.request('q', { p: '/users/private', h: '' });
    await raw.request('q', { p: '/users/feed', q, t: 4, h: '' });
    await raw.request('q', { p: '/open', h: '' });
    raw.received();
    const received = await raw.exchange('unauth', {});
    expect(received.at(-1)?.[1]).toMatchObject({ s: 'ok' });
    expect(received.slice(0, -1)).toHaveLength(2);
    expect(received).toContainEqual(['c', { p: 'users/private' }]);
    expect(received).toContainEqual(['c', { p: 'users/feed', q: [q] }]);
  });

  test('[W51] after a revocation the listen gets no further messages', async () => {
    const raw = await openRawSocket(ns);
    const owner = await openRawSocket(ns);
    await owner.request('gauth', { cred: 'owner' });
    await raw.request('auth', { cred: unsignedToken('alice') });
    await raw.request('q', { p: '/users/private', h: '' });
    await raw.request('unauth', {});
    raw.received();
    await owner.request('p', { p: '/users/private', d: 'secret' });
    expect(await raw.pushes()).toEqual([]);
  });

  test('[W52] another token of the same user revokes nothing', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('auth', { cred: unsignedToken('alice', 1) });
    await raw.request('q', { p: '/users/private', h: '' });
    raw.received();
    const received = await raw.exchange('auth', { cred: unsignedToken('alice', 2) });
    expect(received).toHaveLength(1);
  });

  test('[W53] new rules revoke the listens that they deny, and no others', async () => {
    const own = await openNamespace();
    const raw = await openRawSocket(own);
    await raw.request('q', { p: '/a', h: '' });
    await raw.request('q', { p: '/a', q: { l: 1, vf: 'l', i: '.key' }, t: 9, h: '' });
    await raw.request('q', { p: '/b', h: '' });
    raw.received();
    await writeRules(own, { rules: { b: { '.read': true, '.write': true } } });
    const pushes = await raw.pushes();
    expect(pushes).toHaveLength(2);
    expect(pushes).toContainEqual(['c', { p: 'a' }]);
    expect(pushes).toContainEqual(['c', { p: 'a', q: [{ l: 1, vf: 'l', i: '.key' }] }]);
    expect(await raw.exchange('p', { p: '/b', d: 1 })).toEqual([
      ['d', { p: 'b', d: 1 }],
      [expect.any(Number), { s: 'ok', d: '' }],
    ]);
  });

  test('[W54] a denied listen ends the previous listen at its path', async () => {
    const own = await openNamespace();
    await writeRules(own, { rules: { '.read': "!data.child('closed').exists()", '.write': true } });
    const raw = await openRawSocket(own);
    await raw.request('q', { p: '/', h: '' });
    await raw.request('p', { p: '/closed', d: true });
    raw.received();
    const denied = [expect.any(Number), { s: 'permission_denied', d: 'Permission denied' }];
    expect(await raw.exchange('q', { p: '/', h: '' })).toEqual([denied]);
    expect(await raw.exchange('p', { p: '/a', d: 1 })).toEqual([[expect.any(Number), { s: 'ok', d: '' }]]);
  });

  test('[W54] a denied listen gets no data and is not kept', async () => {
    const raw = await openRawSocket(ns);
    const owner = await openRawSocket(ns);
    await owner.request('gauth', { cred: 'owner' });
    expect(await raw.exchange('q', { p: '/users', h: '' })).toEqual([
      [1, { s: 'permission_denied', d: 'Permission denied' }],
    ]);
    await owner.request('p', { p: '/users/x', d: 1 });
    expect(await raw.pushes()).toEqual([]);
  });
});
