import { beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../drivers/json.ts';
import { openNamespace } from '../../drivers/namespace.ts';
import { changesOf, openRawSocket } from '../../drivers/socket.ts';

// A plain listen has no query. A window is what a listen with a query selects; the client gives such a listen a tag.

const OK = [expect.any(Number), { s: 'ok', d: '' }];
const LISTENING = [expect.any(Number), { s: 'ok', d: {} }];

describe('Listens', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  test('[W82] the server pushes the data of a listen, and then answers with an object', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/first', d: { a: 1 } });
    raw.received();
    expect(await raw.exchange('q', { p: '/first', h: '' })).toEqual([
      ['d', { p: 'first', d: { a: 1 } }],
      LISTENING,
    ]);
  });

  test('[W83] for a listen at a node that does not exist, the server pushes null or nothing, and then answers', async () => {
    const raw = await openRawSocket(ns);
    const received = await raw.exchange('q', { p: '/void', h: '' });
    expect(received.at(-1)).toEqual(LISTENING);
    for (const push of received.slice(0, -1)) expect(push).toEqual(['d', { p: 'void', d: null }]);
  });

  test('[W84] paths of pushes have no leading slash, and the root is the empty path', async () => {
    const raw = await openRawSocket(await openNamespace());
    await raw.request('q', { p: '/', h: '' });
    raw.received();
    expect(await raw.exchange('p', { p: '/a/b', d: 1 })).toEqual([['d', { p: 'a/b', d: 1 }], OK]);
    expect(await raw.exchange('p', { p: '/', d: { c: 1 } })).toEqual([['d', { p: '', d: { c: 1 } }], OK]);
  });

  test('[W85] a change above a listen arrives as the new value at the listened path', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/above', d: { a: { b: 1 } } });
    await raw.request('q', { p: '/above/a/b', h: '' });
    raw.received();
    expect(await raw.exchange('p', { p: '/above', d: { a: { b: 2 }, c: 3 } })).toEqual([
      ['d', { p: 'above/a/b', d: 2 }],
      OK,
    ]);
    expect(await raw.exchange('p', { p: '/above/a', d: 'leaf' })).toEqual([
      ['d', { p: 'above/a/b', d: null }],
      OK,
    ]);
  });

  test('[W86] a write outside a listen pushes nothing', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('q', { p: '/beside/a', h: '' });
    raw.received();
    expect(await raw.exchange('p', { p: '/beside/ab', d: 1 })).toEqual([OK]);
    expect(await raw.exchange('m', { p: '/beside', d: { b: 1, 'c/a': 2 } })).toEqual([OK]);
  });

  test('[W87] a merge reaches each listen as one push', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('q', { p: '/multi', h: '' });
    await raw.request('q', { p: '/multi/a', h: '' });
    raw.received();
    const received = await raw.exchange('m', { p: '/multi', d: { 'a/x': 1, 'a/y': 2, b: 3 } });
    const pushes = received.slice(0, -1).map(changesOf);
    expect(received.at(-1)).toEqual(OK);
    expect(pushes).toHaveLength(2);
    expect(pushes).toContainEqual({ tag: null, changes: { 'multi/a/x': 1, 'multi/a/y': 2, 'multi/b': 3 } });
    expect(pushes).toContainEqual({ tag: null, changes: { 'multi/a/x': 1, 'multi/a/y': 2 } });
  });

  test('[W88] an empty merge is never pushed', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('q', { p: '/empty-merge', h: '' });
    raw.received();
    expect(await raw.exchange('m', { p: '/empty-merge', d: {} })).toEqual([OK]);
  });

  test('[W89] a plain listen and windows at one path get separate pushes, only the windows with tags', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/both', d: { a: 1, b: 2 } });
    await raw.request('q', { p: '/both', h: '' });
    await raw.request('q', { p: '/both', q: { l: 1, vf: 'l', i: '.key' }, t: 1, h: '' });
    await raw.request('q', { p: '/both', q: { l: 1, vf: 'r', i: '.key' }, t: 2, h: '' });
    raw.received();
    const received = await raw.exchange('p', { p: '/both/c', d: 3 });
    const pushes = received.slice(0, -1).map(changesOf);
    expect(pushes).toHaveLength(2);
    expect(pushes).toContainEqual({ tag: null, changes: { 'both/c': 3 } });
    expect(pushes).toContainEqual({ tag: 2, changes: { 'both/b': null, 'both/c': 3 } });
    expect(received.filter(([, body]) => 't' in Object(body))).toHaveLength(1);
  });

  test('[W90] unlisten ends one listen: a plain one by its path, a window by its tag', async () => {
    const raw = await openRawSocket(ns);
    const q = { l: 1, vf: 'r', i: '.key' };
    await raw.request('p', { p: '/ending', d: { a: 1 } });
    await raw.request('q', { p: '/ending', h: '' });
    await raw.request('q', { p: '/ending', q, t: 5, h: '' });
    await raw.request('n', { p: '/ending' });
    raw.received();
    const received = await raw.exchange('p', { p: '/ending/b', d: 2 });
    expect(received.slice(0, -1).map(changesOf)).toEqual([
      { tag: 5, changes: { 'ending/a': null, 'ending/b': 2 } },
    ]);
    await raw.request('n', { p: '/ending', q, t: 5 });
    raw.received();
    expect(await raw.exchange('p', { p: '/ending/c', d: 3 })).toEqual([OK]);
  });

  test('[W91] an unlisten without a tag ends the window with the same query', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('q', { p: '/by-query', q: { l: 1, vf: 'r', i: '.key' }, t: 5, h: '' });
    await raw.request('n', { p: '/by-query', q: { i: '.key', vf: 'r', l: 1 } });
    raw.received();
    expect(await raw.exchange('p', { p: '/by-query/c', d: 3 })).toEqual([OK]);
  });

  test('[W92] a repeated listen replaces the previous one', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('q', { p: '/repeat', h: '' });
    await raw.request('q', { p: '/repeat', h: '' });
    raw.received();
    expect(await raw.exchange('p', { p: '/repeat', d: 1 })).toEqual([['d', { p: 'repeat', d: 1 }], OK]);
  });

  test('[W93] after a connection with a listen is lost, a write to the path still succeeds', async () => {
    const gone = await openRawSocket(ns);
    await gone.request('q', { p: '/gone', h: '' });
    gone.socket.terminate();
    const raw = await openRawSocket(ns);
    expect(await raw.request('p', { p: '/gone', d: 1 })).toEqual({ s: 'ok', d: '' });
  });

  test('[W94] the compound hash of a mobile client is allowed, and is answered with plain data', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/compound', d: { a: 1 } });
    raw.received();
    const received = await raw.exchange('q', {
      p: '/compound',
      h: 'other',
      ch: { hs: ['x', ''], ps: ['a'] },
    });
    expect(received).toEqual([['d', { p: 'compound', d: { a: 1 } }], LISTENING]);
  });

  test('[W95] a listen to an unindexed window gets the right children, and is answered with the warning no_index', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/unindexed', d: { a: { w: 2 }, b: { w: 1 } } });
    raw.received();
    expect(await raw.exchange('q', { p: '/unindexed', q: { l: 1, vf: 'l', i: 'w' }, t: 3, h: '' })).toEqual([
      ['d', { p: 'unindexed', d: { b: { w: 1 } }, t: 3 }],
      [expect.any(Number), { s: 'ok', d: { w: ['no_index'] } }],
    ]);
  });

  test('[W96] an unindexed get fails with an error that names the missing index', async () => {
    const raw = await openRawSocket(ns);
    const answer = await raw.request('g', { p: '/dinosaurs', q: { i: 'height', l: 1, vf: 'l' } });
    expect(answer['s']).not.toBe('ok');
    expect(answer['d']).toBe(
      'Index not defined, add ".indexOn": "height", for path "/dinosaurs", to the rules',
    );
  });
});

describe('Windows', () => {
  /** Writes four children ordered by `n` to `/s`, and listens to the two lowest, with tag 7. */
  async function openExample() {
    const ns = await openNamespace({ rules: { '.read': true, '.write': true, s: { '.indexOn': ['n'] } } });
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/s', d: { a: { n: 1 }, b: { n: 2 }, c: { n: 3 }, d: { n: 4 } } });
    raw.received();
    const opened = await raw.exchange('q', { p: '/s', q: { l: 2, vf: 'l', i: 'n' }, t: 7, h: '' });
    return { ns, raw, opened };
  }

  test('[W97] a listen with a query gets the children of its window', async () => {
    const { opened } = await openExample();
    expect(opened).toEqual([['d', { p: 's', d: { a: { n: 1 }, b: { n: 2 } }, t: 7 }], LISTENING]);
  });

  test('[W98] a child that is deleted, enters, leaves or changes updates a window, and a change outside does not', async () => {
    const { raw } = await openExample();
    expect(await raw.exchange('p', { p: '/s/a', d: null })).toEqual([
      ['m', { p: 's', d: { a: null, c: { n: 3 } }, t: 7 }],
      OK,
    ]);
    expect(await raw.exchange('p', { p: '/s/z', d: { n: 0, x: 'deep' } })).toEqual([
      ['m', { p: 's', d: { c: null, z: { n: 0, x: 'deep' } }, t: 7 }],
      OK,
    ]);
    expect(await raw.exchange('p', { p: '/s/b/n', d: 9 })).toEqual([
      ['m', { p: 's', d: { b: null, c: { n: 3 } }, t: 7 }],
      OK,
    ]);
    const inPlace = await raw.exchange('p', { p: '/s/c/y', d: true });
    expect(inPlace.slice(0, -1).map(changesOf)).toEqual([{ tag: 7, changes: { 's/c/y': true } }]);
    expect(await raw.exchange('p', { p: '/s/b/q', d: 1 })).toEqual([OK]);
  });

  test('[W99] one merge reaches a window, the root and a child, each with the changes that it sees', async () => {
    const { ns, raw } = await openExample();
    await raw.request('p', { p: '/s', d: { b: { n: 9 }, c: { n: 3 }, d: { n: 4 }, z: { n: 0 } } });
    const root = await openRawSocket(ns);
    const child = await openRawSocket(ns);
    await root.request('q', { p: '/', h: '' });
    await child.request('q', { p: '/s/d', h: '' });
    for (const socket of [raw, root, child]) socket.received();
    expect(await raw.exchange('m', { p: '/', d: { 's/d/n': -1, 's/c/n': 5 } })).toEqual([
      ['m', { p: 's', d: { c: null, d: { n: -1 } }, t: 7 }],
      OK,
    ]);
    expect((await root.pushes()).map(changesOf)).toEqual([
      { tag: null, changes: { 's/d/n': -1, 's/c/n': 5 } },
    ]);
    expect(await child.pushes()).toEqual([['d', { p: 's/d/n', d: -1 }]]);
  });

  test('[W100] deleting the node empties the window', async () => {
    const { raw } = await openExample();
    expect(await raw.exchange('p', { p: '/s', d: null })).toEqual([['d', { p: 's', d: null, t: 7 }], OK]);
  });

  test('[W101] a listen with the hash of its window gets no data after a reconnect', async () => {
    const { ns } = await openExample();
    const raw = await openRawSocket(ns);
    const h = await hashOf({ a: { n: 1 }, b: { n: 2 } });
    await raw.request('p', { p: '/s/.priority', d: 5 });
    raw.received();
    expect(await raw.exchange('q', { p: '/s', q: { l: 2, vf: 'l', i: 'n' }, t: 7, h })).toEqual([LISTENING]);
  });

  /** Returns the hash of an object whose leaves are numbers without priorities. */
  async function hashOf(value: Json): Promise<string> {
    const encoder = new TextEncoder();
    const sha1 = async (text: string) => {
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', encoder.encode(text)));
      return btoa(String.fromCharCode(...digest));
    };
    if (typeof value === 'number') {
      const bytes = new DataView(new ArrayBuffer(8));
      bytes.setFloat64(0, value);
      return sha1(`number:${bytes.getBigUint64(0).toString(16).padStart(16, '0')}`);
    }
    const parts = await Promise.all(
      Object.entries(Object(value)).map(async ([key, child]) => `:${key}:${await hashOf(child as Json)}`),
    );
    return sha1(parts.join(''));
  }

  test('[W102] a listen to an empty window with a hash that is not empty gets null', async () => {
    const { ns } = await openExample();
    const raw = await openRawSocket(ns);
    const q = { l: 2, vf: 'l', i: 'n', sp: 100 };
    expect(await raw.exchange('q', { p: '/s', q, t: 1, h: 'bad' })).toEqual([
      ['d', { p: 's', d: null, t: 1 }],
      LISTENING,
    ]);
  });

  test('[W103] a window that a write to an ancestor changes is sent again as a whole', async () => {
    const { raw } = await openExample();
    expect(await raw.exchange('p', { p: '/s', d: { x: { n: 7 }, y: { n: 8 }, z: { n: 9 } } })).toEqual([
      ['d', { p: 's', d: { x: { n: 7 }, y: { n: 8 } }, t: 7 }],
      OK,
    ]);
  });

  test('[W104] a window gets a child of which only the priority changed', async () => {
    const { raw } = await openExample();
    const received = await raw.exchange('p', { p: '/s/a/.priority', d: 3 });
    expect(received).toHaveLength(2);
    const [push] = received.slice(0, 1).map(changesOf);
    expect(push?.tag).toBe(7);
    expect([{ 's/a/.priority': 3 }, { 's/a': { n: 1, '.priority': 3 } }]).toContainEqual(push?.changes);
  });

  test('[W105] the priority of the node itself is not part of its windows', async () => {
    const { raw } = await openExample();
    expect(await raw.exchange('p', { p: '/s/.priority', d: 3 })).toEqual([OK]);
  });

  test.each<readonly [string, JsonObject, readonly string[]]>([
    ['no bound and no side: the last ones', { l: 1, i: 'n' }, ['d']],
    ['a lower bound and no side: the first ones', { l: 1, i: 'n', sp: 2 }, ['b']],
    ['no limit', { i: 'n', sp: 3 }, ['c', 'd']],
    ['a limit of null', { i: 'n', sp: 3, l: null, vf: 'l' }, ['c', 'd']],
    ['a bound and a key', { i: 'n', sp: 2, sn: 'c' }, ['c', 'd']],
    ['an exclusive bound', { i: 'n', sp: 2, sn: 'b', sin: false }, ['c', 'd']],
    ['after all children with a value', { i: 'n', sp: 2, sn: '[MAX_NAME]', sin: false }, ['c', 'd']],
    ['before all children with a value', { i: 'n', ep: 2, en: '[MIN_NAME]', ein: false }, ['a']],
    ['an inclusive sentinel, as mobile clients send', { i: 'n', sp: 2, sn: '[MAX_NAME]' }, ['c', 'd']],
    ['an equal pair', { i: 'n', sp: 2, ep: 2 }, ['b']],
    ['an index with a leading slash', { i: '/n', sp: 3 }, ['c', 'd']],
    ['no index: by priority', { l: 2, vf: 'l' }, ['a', 'b']],
    ['an index by name .priority', { i: '.priority', l: 2, vf: 'l' }, ['a', 'b']],
    ['keys', { i: '.key', sp: 'b', ep: 'c' }, ['b', 'c']],
    ['an exclusive key', { i: '.key', sp: 'b', sin: false }, ['c', 'd']],
    ['null as a bound', { i: 'n', sp: null }, ['a', 'b', 'c', 'd']],
  ])('[W106] a query is read as clients send it: %s', async (_, q, keys) => {
    const { raw } = await openExample();
    expect(Object.keys(Object((await raw.request('g', { p: '/s', q }))['d'])).toSorted()).toEqual(keys);
    raw.received();
    const [push] = await raw.exchange('q', { p: '/s', q, t: 50, h: '' });
    expect(Object.keys(Object(Object(push?.[1]).d)).toSorted()).toEqual(keys);
  });
});
