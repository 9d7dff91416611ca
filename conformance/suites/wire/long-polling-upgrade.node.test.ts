import { beforeAll, describe, expect, test } from 'vitest';
import { unsignedToken } from '../../drivers/credentials.ts';
import { openNamespace } from '../../drivers/namespace.ts';
import { openRawPoller, type RawPoller, searchOf } from '../../drivers/poller.ts';
import { openRawSocket, type RawSocket } from '../../drivers/socket.ts';
import { until } from '../../drivers/until.ts';

/** The message by which the server and the client begin to use the socket. */
const SWITCH = { t: 'c', d: { t: 'a', d: {} } };
/** The last message of each side over polls. */
const LAST = { t: 'c', d: { t: 'n', d: {} } };
const PING = { t: 'c', d: { t: 'p', d: {} } };
const PONG = { t: 'c', d: { t: 'o', d: null } };

describe('From polls to a WebSocket', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  function openUpgrade(poller: RawPoller, namespace = ns): Promise<RawSocket> {
    return openRawSocket(ns, { search: `v=5&ns=${namespace}&s=${poller.sessionId}` });
  }

  function sendOn(socket: RawSocket, message: object): void {
    socket.sendFrame(JSON.stringify(message));
  }

  test('[W157][W158] the socket is accepted without a handshake, and its pings are answered', async () => {
    const poller = await openRawPoller(ns);
    const socket = await openUpgrade(poller);
    sendOn(socket, PING);
    await until(() => expect(socket.messages).toEqual([SWITCH, PONG]));
    sendOn(socket, PING);
    await until(() => expect(socket.messages).toEqual([SWITCH, PONG, PONG]));
    expect(await poller.request('echo', { d: 'still' })).toEqual({ s: 'ok', d: 'still' });
  });

  test.each([
    ['socket', true],
    ['poll', false],
  ])('[W159][W160][W161] the order is kept if the %s switches first', async (_name, isSocketFirst) => {
    const poller = await openRawPoller(ns);
    const path = `/switch-${isSocketFirst}`;
    await poller.request('q', { p: path, h: '' });
    const socket = await openUpgrade(poller);
    const before = poller.segmentsOf(poller.requestOf('p', { p: path, d: 'poll' }), 3);
    const end = poller.segmentsOf(LAST);
    const sendOnSocket = () => {
      sendOn(socket, SWITCH);
      sendOn(socket, { t: 'd', d: { r: 3, a: 'p', b: { p: path, d: 'socket' } } });
    };
    if (isSocketFirst) sendOnSocket();
    // The last message is sent first, and waits for the segments of the earlier one.
    const kept = [poller.poll(searchOf(end)), poller.poll(searchOf(before.slice(1)))];
    if (!isSocketFirst) sendOnSocket();
    const watcher = await openRawSocket(ns);
    expect(await watcher.request('g', { p: path })).toEqual({ s: 'ok', d: null });
    kept.push(poller.poll(searchOf(before.slice(0, 1))));
    await socket.untilResponse(3);
    await Promise.all(kept);
    expect(poller.messages.at(-1)).toEqual(LAST);
    expect(poller.commands).toEqual([['close', poller.answers.size - 1]]);
    const all = [...poller.messages.slice(3), ...socket.messages.slice(1)].filter(({ t }) => t === 'd');
    expect(all).toEqual([
      { t: 'd', d: { a: 'd', b: { p: path.slice(1), d: 'poll' } } },
      { t: 'd', d: { r: 2, b: { s: 'ok', d: '' } } },
      { t: 'd', d: { a: 'd', b: { p: path.slice(1), d: 'socket' } } },
      { t: 'd', d: { r: 3, b: { s: 'ok', d: '' } } },
    ]);
    expect(await poller.poll()).toBe(`pLPCommand('close',${poller.answers.size - 1});`);
  });

  /** Opens a client that has moved to a socket. */
  async function openMoved(): Promise<{ readonly poller: RawPoller; readonly socket: RawSocket }> {
    const poller = await openRawPoller(ns);
    await poller.request('auth', { cred: unsignedToken('alice') });
    await poller.request('q', { p: '/moved', h: '' });
    await poller.request('o', { p: `/gone/${poller.id}`, d: true });
    const socket = await openUpgrade(poller);
    sendOn(socket, SWITCH);
    await poller.send(LAST);
    return { poller, socket };
  }

  test('[W161][W162] after the move the session keeps its state, until the socket is lost', async () => {
    const { poller, socket } = await openMoved();
    const writer = await openRawSocket(ns);
    await poller.fetch(`disconn=t&${poller.credential}`);
    await writer.request('p', { p: '/moved', d: poller.id });
    await until(() => expect(socket.received()).toContainEqual(['d', { p: 'moved', d: poller.id }]));
    expect(await writer.request('g', { p: `/gone/${poller.id}` })).toEqual({ s: 'ok', d: null });
    socket.socket.terminate();
    await until(async () =>
      expect(await writer.request('g', { p: `/gone/${poller.id}` })).toEqual({ s: 'ok', d: true }),
    );
  });

  test('[W162] a session that has moved can be ended by a connection that names it', async () => {
    const { poller, socket } = await openMoved();
    const next = await openRawSocket(ns, { search: `v=5&ns=${ns}&ls=${poller.sessionId}` });
    expect(await next.request('g', { p: `/gone/${poller.id}` })).toEqual({ s: 'ok', d: true });
    await socket.untilClosed();
  });

  test('[W163] a socket that is lost before the move changes nothing, and another socket may be opened', async () => {
    const poller = await openRawPoller(ns);
    const first = await openUpgrade(poller);
    first.socket.terminate();
    expect(await poller.request('echo', { d: 1 })).toEqual({ s: 'ok', d: 1 });
    await until(async () => expect((await openUpgrade(poller)).messages[0]).toEqual(SWITCH));
  });

  test('[W164][W149] a socket that is lost after the move ends the session', async () => {
    const poller = await openRawPoller(ns);
    await poller.request('o', { p: `/gone/${poller.id}`, d: true });
    const socket = await openUpgrade(poller);
    sendOn(socket, SWITCH);
    sendOn(socket, { t: 'd', d: { r: 9, a: 'p', b: { p: '/never', d: 1 } } });
    const kept = poller.poll();
    socket.socket.close();
    expect(await kept).toBe(`pLPCommand('close');`);
    const reader = await openRawSocket(ns);
    await until(async () =>
      expect(await reader.request('g', { p: `/gone/${poller.id}` })).toEqual({ s: 'ok', d: true }),
    );
    expect(await reader.request('g', { p: '/never' })).toEqual({ s: 'ok', d: null });
  });

  test('[W165][W127] a second socket, a socket of another database and a socket without a session get a message to start a new session', async () => {
    const poller = await openRawPoller(ns);
    await openUpgrade(poller);
    const elsewhere = await openNamespace();
    for (const socket of [
      await openUpgrade(poller),
      await openUpgrade(poller, elsewhere),
      await openRawSocket(ns, { search: `v=5&ns=${ns}&s=unknown` }),
    ]) {
      expect(socket.messages).toEqual([{ t: 'c', d: { t: 'r', d: expect.any(String) } }]);
      await socket.untilClosed();
    }
    expect(await poller.request('echo', { d: 1 })).toEqual({ s: 'ok', d: 1 });
  });

  test('[W166] a session that ends closes the socket that was about to take over', async () => {
    const poller = await openRawPoller(ns);
    const socket = await openUpgrade(poller);
    await poller.fetch(`disconn=t&${poller.credential}`);
    await socket.untilClosed();
  });

  test('[W164] a socket that breaks the framing is treated as lost', async () => {
    const poller = await openRawPoller(ns);
    const before = await openUpgrade(poller);
    before.sendFrame('no message');
    await before.untilClosed();
    expect(await poller.request('echo', { d: 1 })).toEqual({ s: 'ok', d: 1 });
    const after = await openUpgrade(poller);
    sendOn(after, SWITCH);
    after.sendFrame('no message');
    await after.untilClosed();
    await until(async () => expect(await poller.poll()).toBe(`pLPCommand('close');`));
  });
});
