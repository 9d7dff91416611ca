import { child, get, goOffline, goOnline, onValue, ref, refFromURL, set } from 'firebase/database';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { latestValue, recordValues, untilValue } from '../drivers/event-log.ts';
import { openNamespace } from '../drivers/namespace.ts';
import {
  disconnect,
  freshRef,
  openClient,
  openDatabase,
  pathOf,
  reconnect,
  sameRef,
  settle,
  untilConnected,
} from '../drivers/sdk.ts';
import { tapServer } from '../drivers/test-bed-client.ts';

describe('Connection', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  test('[S1] a client created with connectDatabaseEmulator writes and reads', async () => {
    const at = freshRef(openClient(ns, { via: 'emulator' }));
    await set(at, 'hello');
    expect((await get(sameRef(openClient(ns, { via: 'emulator' }), at))).val()).toBe('hello');
  });

  test('[S2] a client whose database URL is `http://host:port?ns=name` writes and reads', async () => {
    const at = freshRef(openClient(ns));
    await set(at, 'hello');
    expect((await get(sameRef(openClient(ns), at))).val()).toBe('hello');
  });

  test('[S3] the host may be the name localhost, in any letter case', async () => {
    const { port } = new URL(inject('serverUrl'));
    const at = freshRef(openDatabase(ns, `http://LocalHost:${port}?ns=${ns}`));
    await set(at, 1);
    expect((await get(sameRef(openDatabase(ns, `http://localhost:${port}?ns=${ns}`), at))).val()).toBe(1);
  });

  test('[S4] the letter case of a namespace does not matter', async () => {
    const at = freshRef(openClient(ns));
    await set(at, 1);
    const upper = openDatabase(ns, `${inject('serverUrl')}?ns=${ns.toUpperCase()}`);
    expect((await get(sameRef(upper, at))).val()).toBe(1);
  });

  test('[S5] two namespaces share no data', async () => {
    const other = await openNamespace();
    const at = freshRef(openClient(ns));
    await set(at, 1);
    expect((await get(sameRef(openClient(other), at))).exists()).toBe(false);
  });

  test('[S6] a location can be named by its whole URL', async () => {
    const db = openClient(ns);
    const at = freshRef(db);
    await set(child(at, 'a b'), 1);
    const named = refFromURL(db, `${inject('serverUrl')}/${pathOf(at)}/a%20b?ns=${ns}`);
    expect((await get(named)).val()).toBe(1);
  });

  test('[S7] a client that connects through another address of the server reconnects to that address', async () => {
    const tap = await tapServer();
    const db = openClient(ns, { url: tap.url });
    await settle(db);
    await disconnect(db);
    await reconnect(db);
    await settle(db);
    const sockets = new Set((await tap.messages()).map(({ socket }) => socket));
    expect(sockets).toEqual(new Set([1, 2]));
  });

  test('[S8] `.info/connected` shows when the client goes offline and online', async () => {
    const db = openClient(ns);
    const states: unknown[] = [];
    onValue(ref(db, '.info/connected'), (snapshot) => states.push(snapshot.val()));
    await untilConnected(db);
    await disconnect(db);
    await reconnect(db);
    expect(states).toEqual([false, true, false, true]);
  });

  test('[S9] .info/serverTimeOffset is a whole number of milliseconds', async () => {
    const db = openClient(ns);
    const log = recordValues(ref(db, '.info/serverTimeOffset'));
    await settle(db);
    expect(latestValue(log)).toSatisfy(Number.isInteger);
  });

  test('[S10] the client keeps writes made offline in order and sends them when it reconnects', async () => {
    const db = openClient(ns);
    const at = freshRef(db);
    const seen = recordValues(sameRef(openClient(ns), at));
    await seen.untilEqual([['value', at.key, null]]);
    await settle(db);
    await disconnect(db);
    const writes = [set(at, 1), set(at, 2), set(at, 3)];
    await reconnect(db);
    await Promise.all(writes);
    await untilValue(seen, 3);
    expect(seen.events.map(([, , value]) => value)).toEqual([null, 1, 2, 3]);
  });

  test('[S11] a write made before the first connection is sent', async () => {
    const db = openClient(ns);
    goOffline(db);
    const at = freshRef(db);
    const written = set(at, 'early');
    goOnline(db);
    await written;
    expect((await get(sameRef(openClient(ns), at))).val()).toBe('early');
  });

  test('[S12] a listener added offline gets its data when the client reconnects', async () => {
    const other = openClient(ns);
    const at = freshRef(other);
    await set(at, 'there');
    const db = openClient(ns);
    await settle(db);
    await disconnect(db);
    const log = recordValues(sameRef(db, at));
    await reconnect(db);
    await log.untilEqual([['value', at.key, 'there']]);
  });

  test('[S13] after a connection is lost without a closing message, the client reconnects and receives all missed changes', async () => {
    const tap = await tapServer();
    const db = openClient(ns, { url: tap.url });
    const other = openClient(ns);
    const at = freshRef(other);
    await set(at, { kept: 1, gone: 1 });
    const log = recordValues(sameRef(db, at));
    await untilValue(log, { kept: 1, gone: 1 });
    const lost = untilConnected(db, false);
    await tap.cut();
    await lost;
    await set(at, { kept: 1, come: 1 });
    await untilValue(log, { kept: 1, come: 1 });
    expect(log.events).toHaveLength(2);
  });

  test('[S14] a set whose response was lost is sent again and takes effect', async () => {
    const tap = await tapServer();
    const db = openClient(ns, { url: tap.url });
    const at = freshRef(db);
    await settle(db);
    await tap.hold();
    const written = set(at, 'twice');
    await tap.untilMessage(({ action, body }) => action === 'p' && body['d'] === 'twice');
    await tap.cut();
    await tap.release();
    await written;
    expect((await get(sameRef(openClient(ns), at))).val()).toBe('twice');
  });

  test('[S15] a text of several megabytes arrives complete, in both directions', async () => {
    const text = 'abc✔def'.repeat(500_000);
    const at = freshRef(openClient(ns));
    await set(at, text);
    const read = (await get(sameRef(openClient(ns), at))).val();
    expect(read === text).toBe(true);
  });

  test('[S16] an object of several megabytes arrives complete', async () => {
    const entries = Array.from(
      { length: 20_000 },
      (_, i) => [`key${String(i).padStart(5, '0')}`, { n: i, text: 'x✔'.repeat(40) }] as const,
    );
    const value = Object.fromEntries(entries);
    const at = freshRef(openClient(ns));
    await set(at, value);
    const read = (await get(sameRef(openClient(ns), at))).val();
    expect(JSON.stringify(read) === JSON.stringify(value)).toBe(true);
  });

  test.each([0, 1])(
    '[S17] surrogate pairs on the borders of incoming segments stay intact with an offset of %i',
    async (offset) => {
      const db = openClient(ns);
      const at = freshRef(db);
      const piece = '🐵'.repeat(4_000);
      const keys = Array.from({ length: 30 }, (_, i) => `k${i}`);
      await Promise.all(
        keys.map((key, i) => set(child(at, key), 'x'.repeat(i % 2 === 0 ? offset : 1) + piece)),
      );
      const read = (await get(sameRef(openClient(ns), at))).val();
      expect(
        Object.values(read).every((text) => typeof text === 'string' && /^x?(?:🐵){4000}$/u.test(text)),
      ).toBe(true);
    },
  );

  test('[S18] a thousand writes sent without waiting are acknowledged in order', async () => {
    const db = openClient(ns);
    const at = freshRef(db);
    const done: number[] = [];
    await Promise.all(
      Array.from({ length: 1000 }, (_, i) => set(child(at, `k${i}`), i).then(() => done.push(i))),
    );
    expect(done).toEqual(Array.from({ length: 1000 }, (_, i) => i));
    expect((await get(sameRef(openClient(ns), at))).size).toBe(1000);
  });

  test('[S19] a shutdown message stops the client permanently', async () => {
    const tap = await tapServer();
    const db = openClient(ns, { url: tap.url });
    await settle(db);
    await tap.inject('{"t":"c","d":{"t":"s","d":"closed for good"}}');
    await untilConnected(db, false);
    goOnline(db);
    await settle(openClient(ns, { url: tap.url }));
    const sockets = new Set((await tap.messages()).map(({ socket }) => socket));
    expect(sockets.size).toBe(2);
  });

  test('[S20] a client that disconnects affects no other client', async () => {
    const first = openClient(ns);
    const second = openClient(ns);
    const at = freshRef(second);
    const log = recordValues(at);
    await disconnect(first);
    await set(at, 1);
    expect(latestValue(log)).toBe(1);
  });
});
