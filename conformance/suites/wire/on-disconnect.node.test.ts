import { beforeAll, describe, expect, test } from 'vitest';
import { unsignedToken } from '../../drivers/credentials.ts';
import type { Json } from '../../drivers/json.ts';
import { openNamespace, writeRules } from '../../drivers/namespace.ts';
import { changesOf, openRawSocket, type RawSocket } from '../../drivers/socket.ts';
import { until } from '../../drivers/until.ts';

describe('onDisconnect', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  /** Cuts a connection, and waits until the server has run the onDisconnect requests of the connection. */
  async function cut(leaver: RawSocket, namespace: string): Promise<void> {
    const watcher = await openRawSocket(namespace);
    const marker = `/marker/${crypto.randomUUID()}`;
    await watcher.request('q', { p: marker, h: '' });
    await leaver.request('o', { p: marker, d: true });
    watcher.received();
    leaver.socket.terminate();
    await until(() => {
      if (watcher.received().length === 0) throw new Error('No request has run yet.');
    });
  }

  const read = async (p: string) => (await (await openRawSocket(ns)).request('g', { p, q: {} }))['d'];

  test.each<readonly [string, readonly (readonly [string, Json])[], Json]>([
    [
      'a set below replaces a set below',
      [
        ['o', { p: '/x/a', d: 1 }],
        ['o', { p: '/x/a', d: 2 }],
      ],
      { a: 2, old: 1 },
    ],
    [
      'a set replaces earlier requests below',
      [
        ['o', { p: '/x/a/b', d: 1 }],
        ['o', { p: '/x/a', d: { c: 1 } }],
      ],
      { a: { c: 1 }, old: 1 },
    ],
    [
      'a set below a set becomes part of it',
      [
        ['o', { p: '/x', d: { a: 1 } }],
        ['o', { p: '/x/b/c', d: 2 }],
      ],
      { a: 1, b: { c: 2 } },
    ],
    [
      'an update is sets of its paths',
      [['om', { p: '/x', d: { a: 1, 'b/c': 2, old: null } }]],
      { a: 1, b: { c: 2 } },
    ],
    [
      'a cancel removes requests at and below its path',
      [
        ['o', { p: '/x/a', d: 1 }],
        ['o', { p: '/x/b/c', d: 1 }],
        ['oc', { p: '/x', d: null }],
      ],
      { old: 1 },
    ],
    [
      'a cancel below a set keeps the other children',
      [
        ['o', { p: '/x', d: { a: 1, b: 2, '.priority': 5 } }],
        ['oc', { p: '/x/a', d: null }],
      ],
      { b: 2, old: 1 },
    ],
    [
      'a cancel below a leaf changes nothing',
      [
        ['o', { p: '/x', d: 'leaf' }],
        ['oc', { p: '/x/a', d: null }],
      ],
      'leaf',
    ],
    [
      'a cancel of one path of an update keeps the others',
      [
        ['om', { p: '/x', d: { a: 1, b: 2 } }],
        ['oc', { p: '/x/b', d: null }],
      ],
      { a: 1, old: 1 },
    ],
    ['a removal', [['o', { p: '/x', d: null }]], null],
    [
      'a priority',
      [['o', { p: '/x', d: { '.value': 1, '.priority': 'p' } }]],
      { '.value': 1, '.priority': 'p' },
    ],
  ])('[W107] the last request for a path applies: %s', async (name, requests, expected) => {
    const base = `/queue/${name.replaceAll(' ', '-')}`;
    const leaver = await openRawSocket(ns);
    await leaver.request('p', { p: `${base}/x`, d: { old: 1 } });
    for (const [action, body] of requests) {
      const placed = { ...Object(body), p: `${base}${Object(body).p}` };
      expect(await leaver.request(action, placed)).toEqual({ s: 'ok', d: '' });
    }
    await cut(leaver, ns);
    expect(await read(`${base}/x`)).toEqual(expected);
  });

  test('[W108] all requests of a connection run as one write: one push for each listen', async () => {
    const leaver = await openRawSocket(ns);
    const watcher = await openRawSocket(ns);
    await leaver.request('p', { p: '/once', d: { a: 1, n: 1 } });
    await watcher.request('q', { p: '/once', h: '' });
    const stamp = { '.sv': 'timestamp' };
    await leaver.request('o', { p: '/once/a', d: null });
    await leaver.request('om', { p: '/once', d: { b: stamp, n: { '.sv': { increment: 4 } } } });
    await leaver.request('o', { p: '/once/c/d', d: stamp });
    watcher.received();
    await cut(leaver, ns);
    const pushes = (await watcher.pushes()).map(changesOf);
    expect(pushes).toHaveLength(1);
    const changes = pushes[0]?.changes ?? {};
    expect(changes).toEqual({
      'once/a': null,
      'once/b': expect.any(Number),
      'once/n': 5,
      'once/c/d': changes['once/b'],
    });
  });

  test('[W109] after a clean close the server runs the requests', async () => {
    const leaver = await openRawSocket(ns);
    const watcher = await openRawSocket(ns);
    await watcher.request('q', { p: '/clean', h: '' });
    await leaver.request('o', { p: '/clean', d: 'gone' });
    watcher.received();
    leaver.socket.close();
    await until(async () => expect(watcher.received()).toEqual([['d', { p: 'clean', d: 'gone' }]]));
  });

  test('[W110] a connection that breaks the framing is treated as lost', async () => {
    const leaver = await openRawSocket(ns);
    const watcher = await openRawSocket(ns);
    await watcher.request('q', { p: '/broken', h: '' });
    await leaver.request('o', { p: '/broken', d: 'gone' });
    watcher.received();
    leaver.sendFrame('nonsense');
    await until(async () => expect(watcher.received()).toEqual([['d', { p: 'broken', d: 'gone' }]]));
  });

  test('[W111] rules are evaluated when a request is registered and again when it runs, as the user at that time', async () => {
    const users = { '.read': true, '.write': 'auth != null' };
    const own = await openNamespace({ rules: { users, marker: { '.read': true, '.write': true } } });
    const leaver = await openRawSocket(own);
    expect(await leaver.request('o', { p: '/users/a', d: 1 })).toEqual({
      s: 'permission_denied',
      d: 'Permission denied',
    });
    await leaver.request('auth', { cred: unsignedToken('alice') });
    expect(await leaver.request('o', { p: '/users/a', d: 1 })).toEqual({ s: 'ok', d: '' });
    await cut(leaver, own);
    const reader = await openRawSocket(own);
    expect(await reader.request('g', { p: '/users/a', q: {} })).toEqual({ s: 'ok', d: 1 });
  });

  test('[W112] a request that is denied when it runs does not affect the others, and an update is dropped as a whole', async () => {
    const own = await openNamespace();
    const leaver = await openRawSocket(own);
    const watcher = await openRawSocket(own);
    await leaver.request('o', { p: '/a', d: 1 });
    await leaver.request('o', { p: '/b', d: 1 });
    await leaver.request('om', { p: '/', d: { 'a/c': 1, 'c/b': 1 } });
    await leaver.request('om', { p: '/', d: { 'd/a': 1, 'd/b': 1 } });
    const writable = { a: { '.write': true }, d: { a: { '.write': true } } };
    await writeRules(own, { rules: { '.read': true, ...writable, marker: { '.write': true } } });
    await watcher.request('q', { p: '/', h: '' });
    watcher.received();
    const next = await openRawSocket(own, { search: `v=5&ns=${own}&ls=${leaver.handshake()['s']}` });
    await next.request('s', { c: {} });
    await leaver.untilClosed();
    // The first update had become part of the value of `a` with one of its paths.
    expect((await watcher.pushes()).map(changesOf)).toEqual([
      expect.objectContaining({ changes: { a: { c: 1 } } }),
    ]);
  });

  test('[W113] a rejected registration leaves the earlier requests', async () => {
    const leaver = await openRawSocket(ns);
    await leaver.request('o', { p: '/keep/a', d: 1 });
    expect(await leaver.request('o', { p: '/keep/a', d: { 'b.c': 1 } })).toMatchObject({ s: 'failure' });
    expect(await leaver.request('om', { p: '/keep', d: { a: 2, 'a/b': 3 } })).toMatchObject({ s: 'failure' });
    await cut(leaver, ns);
    expect(await read('/keep')).toEqual({ a: 1 });
  });
});
