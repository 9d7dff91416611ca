import {
  child,
  get,
  goOffline,
  increment,
  limitToLast,
  onDisconnect,
  orderByChild,
  query,
  ref,
  remove,
  serverTimestamp,
  set,
  update,
} from 'firebase/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordAll, recordValues, untilValue } from '../drivers/event-log.ts';
import { openNamespace } from '../drivers/namespace.ts';
import {
  disconnect,
  freshRef,
  openClient,
  openPair,
  reconnect,
  sameRef,
  settle,
  untilConnected,
} from '../drivers/sdk.ts';
import { tapServer } from '../drivers/test-bed-client.ts';
import { until } from '../drivers/until.ts';

describe('onDisconnect', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  /** Writes a location with a client that will disconnect, and records its values with a client that stays. */
  async function openLocation(before: unknown = null) {
    const { writer: leaver, reader: watcher } = openPair(ns);
    const at = freshRef(leaver);
    await set(at, before);
    const log = recordValues(sameRef(watcher, at));
    await until(() => expect(log.events).toHaveLength(1));
    return { leaver, watcher, at, log };
  }

  /**
   * Disconnects the client, waits until the server has run the client's requests, and returns the value of the location
   * with its priorities.
   */
  async function leave(location: Awaited<ReturnType<typeof openLocation>>): Promise<unknown> {
    const marker = freshRef(location.leaver, 'left');
    await onDisconnect(marker).set(true);
    const left = recordValues(sameRef(location.watcher, marker));
    await left.untilEqual([['value', marker.key, null]]);
    goOffline(location.leaver);
    await untilValue(left, true);
    await settle(location.watcher);
    return (await get(sameRef(openClient(ns), location.at))).exportVal();
  }

  test('[S185] a requested set is made when the client disconnects', async () => {
    const location = await openLocation('online');
    await onDisconnect(location.at).set({ state: 'offline' });
    expect(await leave(location)).toEqual({ state: 'offline' });
  });

  test('[S186] nothing happens before the client disconnects', async () => {
    const location = await openLocation('online');
    await onDisconnect(location.at).set('offline');
    await settle(location.watcher);
    expect(location.log.events.map(([, , value]) => value)).toEqual(['online']);
    await leave(location);
  });

  test.each([5, 'high', null])(
    '[S187] a requested set with the priority %j is made with this priority',
    async (priority) => {
      const location = await openLocation('online');
      await onDisconnect(location.at).setWithPriority('offline', priority);
      expect(await leave(location)).toEqual(
        priority === null ? 'offline' : { '.value': 'offline', '.priority': priority },
      );
    },
  );

  test('[S188] a requested removal is made when the client disconnects', async () => {
    const location = await openLocation({ a: 1 });
    await onDisconnect(location.at).remove();
    expect(await leave(location)).toBeNull();
  });

  test('[S189] a requested update changes the children it names and no others', async () => {
    const location = await openLocation({ a: 1, b: 2, c: { d: 3 } });
    await onDisconnect(location.at).update({ a: 10, b: null, 'c/e': 4 });
    expect(await leave(location)).toEqual({ a: 10, c: { d: 3, e: 4 } });
  });

  test('[S190] a later request for a path replaces the earlier ones at and below it', async () => {
    const location = await openLocation({ a: 1 });
    await onDisconnect(child(location.at, 'a')).set('first');
    await onDisconnect(child(location.at, 'b')).set('below');
    await onDisconnect(location.at).set({ a: 'second' });
    expect(await leave(location)).toEqual({ a: 'second' });
  });

  test('[S191] a request below a set becomes part of its value', async () => {
    const location = await openLocation({ old: 1 });
    await onDisconnect(location.at).set({ a: 1 });
    await onDisconnect(child(location.at, 'b/c')).set(2);
    expect(await leave(location)).toEqual({ a: 1, b: { c: 2 } });
  });

  test('[S192] requests for different paths all run', async () => {
    const location = await openLocation({ a: 1, b: 1, c: 1 });
    await onDisconnect(child(location.at, 'a')).remove();
    await onDisconnect(child(location.at, 'b')).set(2);
    await onDisconnect(child(location.at, 'd')).update({ e: 3 });
    expect(await leave(location)).toEqual({ b: 2, c: 1, d: { e: 3 } });
  });

  test('[S193] cancel removes the request of its path', async () => {
    const location = await openLocation('online');
    await onDisconnect(location.at).set('offline');
    await onDisconnect(location.at).cancel();
    expect(await leave(location)).toBe('online');
  });

  test('[S194] cancel removes all requests below its path', async () => {
    const location = await openLocation({ a: 1 });
    await onDisconnect(child(location.at, 'a')).set(2);
    await onDisconnect(child(location.at, 'b/c')).set(3);
    await onDisconnect(location.at).cancel();
    expect(await leave(location)).toEqual({ a: 1 });
  });

  test('[S195] cancel leaves the requests of other paths', async () => {
    const location = await openLocation({ a: 1, b: 1 });
    await onDisconnect(child(location.at, 'a')).set(2);
    await onDisconnect(child(location.at, 'b')).set(2);
    await onDisconnect(child(location.at, 'a')).cancel();
    expect(await leave(location)).toEqual({ a: 1, b: 2 });
  });

  test('[S196] cancel of one child of an update leaves the others', async () => {
    const location = await openLocation({ foo: 'bar' });
    await onDisconnect(location.at).update({ baz: 'quux', bat: 'hmm' });
    await onDisconnect(child(location.at, 'bat')).cancel();
    expect(await leave(location)).toEqual({ foo: 'bar', baz: 'quux' });
  });

  test('[S197] cancel of a child of a set turns the set into an update of the other children', async () => {
    const location = await openLocation({ original: true, child: 'original-child' });
    await onDisconnect(location.at).set({ parent: true, child: 'parent-child' });
    await onDisconnect(child(location.at, 'child')).set('child');
    await onDisconnect(child(location.at, 'child')).cancel();
    expect(await leave(location)).toEqual({ child: 'original-child', original: true, parent: true });
  });

  test('[S198] cancel without a request is acknowledged', async () => {
    await expect(onDisconnect(freshRef(openClient(ns))).cancel()).resolves.toBeUndefined();
  });

  test('[S199] server values are resolved when the client disconnects', async () => {
    const location = await openLocation({ n: 1 });
    await onDisconnect(location.at).update({ at: serverTimestamp(), n: increment(5) });
    await set(child(sameRef(location.watcher, location.at), 'n'), 100);
    expect(await leave(location)).toEqual({ at: expect.any(Number), n: 105 });
  });

  test('[S200] all requests of a client together cause one event for other clients', async () => {
    const location = await openLocation({ a: 1, b: 1 });
    await onDisconnect(child(location.at, 'a')).set(2);
    await onDisconnect(child(location.at, 'b')).remove();
    await onDisconnect(child(location.at, 'c/d')).set(3);
    await leave(location);
    expect(location.log.events.map(([, , value]) => value)).toEqual([
      { a: 1, b: 1 },
      { a: 2, c: { d: 3 } },
    ]);
  });

  test('[S201] the client that disconnects sees one event for all its requests, and none when it reconnects', async () => {
    const location = await openLocation({ a: 1, b: 1 });
    const own = recordValues(location.at);
    await untilValue(own, { a: 1, b: 1 });
    await onDisconnect(location.at).set({ a: 2, b: 2 });
    await leave(location);
    await reconnect(location.leaver);
    await settle(location.leaver);
    expect(own.events.map(([, , value]) => value)).toEqual([
      { a: 1, b: 1 },
      { a: 2, b: 2 },
    ]);
  });

  test('[S202] a query of another client gets one value event, with whole children', async () => {
    const { writer: leaver, reader: watcher } = openPair(ns);
    const at = freshRef(leaver, 'indexed');
    await set(at, { a: { n: 1, x: 'a' }, b: { n: 2, x: 'b' }, c: { n: 3, x: 'c' } });
    const log = recordAll(query(sameRef(watcher, at), orderByChild('n'), limitToLast(2)));
    await untilValue(log, { b: { n: 2, x: 'b' }, c: { n: 3, x: 'c' } });
    log.clear();
    await onDisconnect(child(at, 'a/n')).set(10);
    await onDisconnect(child(at, 'b')).remove();
    goOffline(leaver);
    await log.untilEqual([
      ['removed', 'b', { n: 2, x: 'b' }],
      ['added', 'a', { n: 10, x: 'a' }, 'c'],
      ['value', at.key, { a: { n: 10, x: 'a' }, c: { n: 3, x: 'c' } }],
    ]);
  });

  test('[S203] the requests run once, and not at the next disconnect', async () => {
    const location = await openLocation('online');
    await onDisconnect(location.at).set('offline');
    await leave(location);
    await reconnect(location.leaver);
    await set(location.at, 'again');
    expect(await leave(location)).toBe('again');
  });

  test('[S204] a request made offline is registered when the client reconnects', async () => {
    const location = await openLocation('online');
    await settle(location.leaver);
    await disconnect(location.leaver);
    const requested = onDisconnect(location.at).set('offline');
    await reconnect(location.leaver);
    await requested;
    expect(await leave(location)).toBe('offline');
  });

  test('[S205] when a client goes offline, its requests run immediately', async () => {
    const location = await openLocation('online');
    await onDisconnect(location.at).set('offline');
    await disconnect(location.leaver);
    await untilValue(location.log, 'offline');
  });

  test('[S206] when a connection is cut without a closing message, the requests run', async () => {
    const tap = await tapServer();
    const leaver = openClient(ns, { url: tap.url });
    const at = freshRef(leaver);
    await set(at, 'online');
    const log = recordValues(sameRef(openClient(ns), at));
    await untilValue(log, 'online');
    await onDisconnect(at).set('offline');
    await tap.cut();
    await untilValue(log, 'offline');
  });

  test('[S207] presence: a client that reconnects after a cut and sets its presence is online at the end', async () => {
    const tap = await tapServer();
    const leaver = openClient(ns, { url: tap.url });
    const at = freshRef(leaver);
    const states = recordValues(ref(leaver, '.info/connected'));
    const announce = async () => {
      await onDisconnect(at).set({ state: 'offline', at: serverTimestamp() });
      await set(at, { state: 'online' });
    };
    await untilConnected(leaver);
    await announce();
    const log = recordValues(sameRef(openClient(ns), at));
    await untilValue(log, { state: 'online' });
    const lost = untilConnected(leaver, false);
    await tap.cut();
    await lost;
    await untilConnected(leaver);
    await announce();
    await until(() => {
      const received = log.events.map(([, , value]) => Object(value).state);
      expect(received).toEqual(['online', 'offline', 'online']);
    });
    expect(states.events.map(([, , value]) => value)).toEqual([false, true, false, true]);
  });

  test('[S208] later writes of the client do not change its requests', async () => {
    const location = await openLocation(null);
    await onDisconnect(location.at).remove();
    await update(location.at, { a: 1 });
    await remove(child(location.at, 'a'));
    await set(location.at, { b: 2 });
    expect(await leave(location)).toBeNull();
  });
});
