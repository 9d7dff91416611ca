import {
  child,
  get,
  limitToFirst,
  limitToLast,
  onValue,
  orderByChild,
  orderByValue,
  query,
  set,
} from 'firebase/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordValues, untilValue } from '../drivers/event-log.ts';
import { openNamespace } from '../drivers/namespace.ts';
import {
  disconnect,
  freshRef,
  openClient,
  openPair,
  pathOf,
  reconnect,
  sameRef,
  settle,
} from '../drivers/sdk.ts';
import { tapServer } from '../drivers/test-bed-client.ts';

describe('Ordering and queries', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  test('[S148] get of a missing node returns a snapshot without a value', async () => {
    const read = await get(freshRef(openClient(ns)));
    expect([read.exists(), read.val()]).toEqual([false, null]);
  });

  test('[S149] get of a leaf returns the leaf', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, 'leaf');
    expect((await get(sameRef(reader, at))).val()).toBe('leaf');
  });

  test('[S150] get returns the current data of the server each time', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, 1);
    expect((await get(sameRef(reader, at))).val()).toBe(1);
    await set(at, 2);
    expect((await get(sameRef(reader, at))).val()).toBe(2);
  });

  test("[S151] get of a child below a listener is answered from the listener's data", async () => {
    const tap = await tapServer();
    const db = openClient(ns, { url: tap.url });
    const at = freshRef(db);
    await set(at, { a: { b: 1 } });
    const log = recordValues(at);
    await untilValue(log, { a: { b: 1 } });
    expect((await get(child(at, 'a'))).val()).toEqual({ b: 1 });
    await settle(db);
    const gets = (await tap.messages()).filter(
      ({ action, body }) => action === 'g' && String(body['p']).includes(pathOf(at)),
    );
    expect(gets).toEqual([]);
  });

  test('[S152] get sees the unacknowledged writes of its client', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    const written = set(at, 'pending');
    expect((await get(at)).val()).toBe('pending');
    await written;
    expect((await get(sameRef(reader, at))).val()).toBe('pending');
  });

  test('[S153] get while offline is answered when the client reconnects', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, 'x');
    await settle(reader);
    await disconnect(reader);
    const read = get(sameRef(reader, at));
    await reconnect(reader);
    expect((await read).val()).toBe('x');
  });

  test('[S154] get while offline is answered from the data of a listener', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: 1 });
    const log = recordValues(sameRef(reader, at));
    await untilValue(log, { a: 1 });
    await disconnect(reader);
    expect((await get(sameRef(reader, at))).val()).toEqual({ a: 1 });
  });

  test('[S155] a listener at the path of a get fires once', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, { a: 1 });
    const seen = sameRef(reader, at);
    const log = recordValues(seen);
    const read = await get(seen);
    await settle(reader);
    expect(read.val()).toEqual({ a: 1 });
    expect(log.events).toEqual([['value', at.key, { a: 1 }]]);
  });

  test('[S156] a listener added while a get is running receives the data', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer);
    await set(at, 5);
    const seen = sameRef(reader, at);
    const read = get(seen);
    const received = new Promise((resolve) => onValue(seen, (s) => resolve(s.val())));
    expect((await read).val()).toBe(5);
    expect(await received).toBe(5);
  });

  test('[S157] get keeps no subscription: later writes of other clients are not sent', async () => {
    const tap = await tapServer();
    const reader = openClient(ns, { url: tap.url });
    const writer = openClient(ns);
    const at = freshRef(writer);
    await set(at, 1);
    await get(sameRef(reader, at));
    await set(at, 2);
    await settle(reader);
    expect(await tap.pushesAt(pathOf(at))).toEqual([]);
  });

  test('[S158] get of a query with a limit returns its result if the rules declare the index', async () => {
    const { writer, reader } = openPair(ns);
    const at = freshRef(writer, 'indexed');
    await set(at, { a: { n: 3 }, b: { n: 1 }, c: { n: 2 } });
    const read = await get(query(sameRef(reader, at), orderByChild('n'), limitToFirst(2)));
    expect(read.val()).toEqual({ b: { n: 1 }, c: { n: 2 } });
  });

  test('[S159] get by a child without index fails and says which index to add', async () => {
    const at = freshRef(openClient(ns));
    await set(at, { a: { w: 1 } });
    await expect(get(query(at, orderByChild('w'), limitToFirst(1)))).rejects.toThrow(
      `Index not defined, add ".indexOn": "w", for path "/${pathOf(at)}", to the rules`,
    );
  });

  test('[S160] get by value without index fails and says which index to add', async () => {
    const at = freshRef(openClient(ns));
    await set(at, { a: 1 });
    await expect(get(query(at, orderByValue(), limitToLast(1)))).rejects.toThrow(
      `Index not defined, add ".indexOn": ".value", for path "/${pathOf(at)}", to the rules`,
    );
  });
});
