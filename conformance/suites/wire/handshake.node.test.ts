import { beforeAll, describe, expect, inject, test } from 'vitest';
import { WebSocket } from 'ws';
import { openNamespace } from '../../drivers/namespace.ts';
import { openRawSocket, RawSocket } from '../../drivers/socket.ts';
import { until } from '../../drivers/until.ts';

describe('Handshake and control', () => {
  let ns = '';
  const { host, port } = new URL(inject('serverUrl'));
  beforeAll(async () => {
    ns = await openNamespace();
  });

  test('[W1] the first message is the handshake: whole milliseconds, version "5", host and session', async () => {
    const raw = await openRawSocket(ns);
    expect(raw.messages[0]).toEqual({
      t: 'c',
      d: { t: 'h', d: { ts: expect.any(Number), v: '5', h: host, s: expect.any(String) } },
    });
    expect(raw.frames[0]).toMatch(/"ts":[0-9]{13}[,}]/);
  });

  test('[W2] the host of the handshake is the Host header of the request, including the port', async () => {
    expect((await openRawSocket(ns, { host: 'localhost:4321' })).handshake()['h']).toBe('localhost:4321');
    expect((await openRawSocket(ns, { host: 'a.b.localhost' })).handshake()['h']).toBe('a.b.localhost');
  });

  test('[W3] session IDs are 32 letters and digits, and differ', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await openRawSocket(ns)).handshake()['s']),
    );
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(new Set(ids).size).toBe(20);
  });

  test('[W4] the parameter ns names the database and has priority over the host', async () => {
    const raw = await openRawSocket(ns, { host: `other.db.localhost:${port}` });
    await raw.request('p', { p: '/by-ns', d: 1 });
    const same = await openRawSocket(ns);
    expect(await same.request('g', { p: '/by-ns', q: {} })).toEqual({ s: 'ok', d: 1 });
  });

  test('[W5] without ns the first of three or more labels of the host names the database, in any letter case', async () => {
    const raw = await openRawSocket(ns);
    await raw.request('p', { p: '/by-host', d: 1 });
    const same = await openRawSocket(ns, { search: 'v=5', host: `${ns.toUpperCase()}.db.localhost:${port}` });
    expect(await same.request('g', { p: '/by-host', q: {} })).toEqual({ s: 'ok', d: 1 });
  });

  test('[W6] in development, a connection that names no database uses a database that is separate from all others', async () => {
    const raw = await openRawSocket(ns, { search: 'v=5' });
    expect(await raw.request('g', { p: `/${ns}`, q: {} })).toEqual({ s: 'ok', d: null });
  });

  test('[W7] parameters are accepted in any order, and unknown ones are ignored', async () => {
    const raw = await openRawSocket(ns, { search: `ac=a.b.c&p=1:2:web:3&x=y&r=f&ns=${ns}&ls=unknown&v=5` });
    expect(await raw.request('s', { c: {} })).toEqual({ s: 'ok', d: '' });
  });

  test('[W8] a protocol version other than 5 gets no handshake', async () => {
    const raw = new RawSocket(new WebSocket(`${inject('serverUrl').replace('http', 'ws')}/.ws?v=4&ns=${ns}`));
    await until(() => expect(raw.messages.length > 0 || raw.closedWith !== undefined).toBe(true));
    expect(raw.messages[0]).not.toMatchObject({ d: { t: 'h' } });
    raw.socket.terminate();
  });

  test('[W9] every ping gets one pong with an inner `d`', async () => {
    const raw = await openRawSocket(ns);
    for (let i = 0; i < 3; i++) raw.sendFrame('{"t":"c","d":{"t":"p","d":{}}}');
    await raw.request('s', { c: {} });
    const pongs = raw.messages.filter(({ t }) => t === 'c').slice(1);
    expect(pongs).toHaveLength(3);
    for (const pong of pongs) {
      expect(pong).toMatchObject({ t: 'c', d: { t: 'o' } });
      expect(Object.keys(Object(pong['d']))).toContain('d');
    }
  });

  test('[W10] control messages of unknown kind are ignored', async () => {
    const raw = await openRawSocket(ns);
    raw.sendFrame('{"t":"c","d":{"t":"zzz","d":{}}}');
    expect(await raw.request('s', { c: {} })).toEqual({ s: 'ok', d: '' });
    expect(raw.messages.filter(({ t }) => t === 'c')).toHaveLength(1);
  });

  test('[W11] a connection whose `ls` names an open session first runs the onDisconnect writes of that session, and ends it', async () => {
    const old = await openRawSocket(ns);
    const watcher = await openRawSocket(ns);
    await watcher.request('q', { p: '/takeover', h: '' });
    await old.request('o', { p: '/takeover', d: 'offline' });
    watcher.received();
    const next = await openRawSocket(ns, { search: `v=5&ns=${ns}&ls=${old.handshake()['s']}` });
    await next.request('p', { p: '/takeover', d: 'online' });
    await old.untilClosed();
    expect(await watcher.pushes()).toEqual([
      ['d', { p: 'takeover', d: 'offline' }],
      ['d', { p: 'takeover', d: 'online' }],
    ]);
  });

  test('[W12] a connection cannot end a session of another database', async () => {
    const old = await openRawSocket(ns);
    const elsewhere = await openNamespace();
    const other = await openRawSocket(elsewhere, {
      search: `v=5&ns=${elsewhere}&ls=${old.handshake()['s']}`,
    });
    await other.request('s', { c: {} });
    expect(await old.request('s', { c: {} })).toEqual({ s: 'ok', d: '' });
  });
});
