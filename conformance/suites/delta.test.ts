import {
  child,
  type Database,
  limitToLast,
  orderByChild,
  type Query,
  query,
  ref,
  set,
  setPriority,
} from 'firebase/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordValues, untilValue } from '../drivers/event-log.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { disconnect, freshRef, openClient, pathOf, reconnect, settle } from '../drivers/sdk.ts';
import { tapServer } from '../drivers/test-bed-client.ts';

describe('Data and events', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  const DATA = {
    a: { '.priority': 3, n: 1, text: 'ünïcode 🐵' },
    b: { '.value': true, '.priority': 'p' },
    c: { n: 2.5, deep: { er: { est: -1 } } },
    10: 'ten',
    9: { n: false },
  };

  /** Returns the number of pushes to a listener that reconnects. `whileAway` runs while the listener is offline. */
  async function pushesAfterReturn(
    asQuery: (db: Database, path: string) => Query,
    whileAway: (path: string, db: Database) => Promise<void>,
  ): Promise<number> {
    const tap = await tapServer();
    const reader = openClient(ns, { url: tap.url });
    const writer = openClient(ns);
    const at = freshRef(writer, 'indexed');
    await set(at, { ...DATA, '.priority': 'own' });
    const log = recordValues(asQuery(reader, pathOf(at)));
    await settle(reader);
    expect(log.events).toHaveLength(1);
    await disconnect(reader);
    await whileAway(pathOf(at), writer);
    const before = (await tap.pushesAt(pathOf(at))).length;
    await reconnect(reader);
    await settle(reader);
    return (await tap.pushesAt(pathOf(at))).length - before;
  }

  const nothing = async () => undefined;
  const at = (db: Database, path: string) => ref(db, path);

  test('[S103] a listener without a query that reconnects to unchanged data receives no data', async () => {
    expect(await pushesAfterReturn(at, nothing)).toBe(0);
  });

  test('[S104] a query with a limit that reconnects to unchanged data receives no data', async () => {
    expect(await pushesAfterReturn((db, path) => query(at(db, path), limitToLast(2)), nothing)).toBe(0);
  });

  test('[S105] an ordered query with a limit that reconnects to unchanged data receives no data', async () => {
    const asQuery = (db: Database, path: string) => query(at(db, path), orderByChild('n'), limitToLast(3));
    expect(await pushesAfterReturn(asQuery, nothing)).toBe(0);
  });

  test('[S106] an ordered query without a limit that reconnects to unchanged data receives no data', async () => {
    expect(await pushesAfterReturn((db, path) => query(at(db, path), orderByChild('n')), nothing)).toBe(0);
  });

  test('[S107] the result of a query is not sent again after a change outside of the result', async () => {
    const asQuery = (db: Database, path: string) => query(at(db, path), orderByChild('n'), limitToLast(1));
    expect(await pushesAfterReturn(asQuery, (path, db) => set(child(at(db, path), '9/x'), 1))).toBe(0);
  });

  test('[S108] the result of a query is not sent again if only the priority of the node has changed', async () => {
    const asQuery = (db: Database, path: string) => query(at(db, path), limitToLast(2));
    expect(await pushesAfterReturn(asQuery, (path, db) => setPriority(at(db, path), 8))).toBe(0);
  });

  test('[S109] a listener that reconnects to changed data receives the data in one push', async () => {
    expect(await pushesAfterReturn(at, (path, db) => set(child(at(db, path), 'c/n'), 3))).toBe(1);
    expect(await pushesAfterReturn(at, (path, db) => setPriority(child(at(db, path), 'c'), 3))).toBe(1);
  });

  test('[S110] a listener that reconnects to data that its client wrote before it disconnected receives no data', async () => {
    const tap = await tapServer();
    const db = openClient(ns, { url: tap.url });
    const location = freshRef(db);
    const log = recordValues(location);
    await set(location, { a: 0.1, c: 5, d: 1e21, e: { '.value': 'x', '.priority': 1 } });
    await untilValue(log, { a: 0.1, c: 5, d: 1e21, e: 'x' });
    await settle(db);
    await disconnect(db);
    const before = (await tap.pushesAt(pathOf(location))).length;
    await reconnect(db);
    await settle(db);
    expect((await tap.pushesAt(pathOf(location))).length - before).toBe(0);
  });
});
