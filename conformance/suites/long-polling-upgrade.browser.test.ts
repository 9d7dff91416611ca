import { child, type Database, get, onDisconnect, ref, set } from 'firebase/database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordValues, untilValue } from '../drivers/event-log.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { ownStorageKey } from '../drivers/runtime.ts';
import { disconnect, freshRef, openClient, sameRef, settle, untilConnected } from '../drivers/sdk.ts';
import { type GatewayClient, proxyServer } from '../drivers/test-bed-client.ts';
import { until } from '../drivers/until.ts';

/** After a WebSocket has failed, the SDK sets this key of `localStorage`, and starts the next connection with polls. */
const FAILURE_KEY = 'firebase:previous_websocket_failure';

describe('Upgrade and downgrade', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });
  const failure = ownStorageKey(FAILURE_KEY);
  beforeEach(() => failure.set('true'));
  afterAll(() => failure.restore());

  function openThrough(gateway: GatewayClient): Database {
    return openClient(ns, { url: gateway.url, transport: 'chosen' });
  }

  async function countOf(gateway: GatewayClient, prefix: string): Promise<number> {
    return (await gateway.addresses()).filter((address) => address.startsWith(prefix)).length;
  }

  /** Waits until the client's requests go over its WebSocket and no longer add polls to the gateway's addresses. */
  async function untilUpgraded(gateway: GatewayClient, db: Database): Promise<void> {
    await until(async () => expect(await countOf(gateway, '/.ws?')).toBe(1));
    await until(async () => {
      const polls = await countOf(gateway, '/.lp?id=');
      await settle(db);
      expect(await countOf(gateway, '/.lp?id=')).toBe(polls);
    });
  }

  test('[S247] a client moves from polls to a WebSocket in the middle of traffic, and nothing is lost or reordered', async () => {
    const gateway = await proxyServer();
    const db = openThrough(gateway);
    const connections = recordValues(ref(db, '.info/connected'));
    const other = openClient(ns, { transport: 'chosen' });
    const at = freshRef(other);
    const theirs = recordValues(child(sameRef(db, at), 'theirs'));
    const mine = recordValues(child(at, 'mine'));
    const acknowledged: number[] = [];
    const writes: Promise<unknown>[] = [];
    let count = 0;
    const write = () => {
      const n = count++;
      writes.push(set(child(sameRef(db, at), 'mine'), n).then(() => acknowledged.push(n)));
      writes.push(set(child(at, 'theirs'), n));
    };
    // Writes begin before the first response, and end well after the move.
    const writing = setInterval(write, 1);
    await untilUpgraded(gateway, db);
    clearInterval(writing);
    for (let i = 0; i < 100; i++) write();
    await Promise.all(writes);
    await untilValue(mine, count - 1);
    await untilValue(theirs, count - 1);
    expect(acknowledged).toEqual(Array.from({ length: count }, (_, i) => i));
    for (const log of [mine, theirs]) {
      const numbers = log.events.map(([, , value]) => (value === null ? -1 : Number(value)));
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
    expect(connections.events.map(([, , value]) => value)).toEqual([false, true]);
    expect(await countOf(gateway, '/.lp?start=')).toBe(1);
    expect(
      (await gateway.addresses()).filter((address) => /^\/\.ws\?.*\bs=[A-Za-z0-9]{32}\b/.test(address)),
    ).toHaveLength(1);
  });

  test('[S252] while the client moves, a write sent after a large text also arrives after it', async () => {
    const gateway = await proxyServer();
    const db = openThrough(gateway);
    const at = freshRef(db);
    const text = 'x✔'.repeat(100_000);
    const done: unknown[] = [];
    const writes = [text, 'behind'].map((value) => set(at, value).then(() => done.push(value)));
    await untilUpgraded(gateway, db);
    await Promise.all([...writes, set(at, 'last').then(() => done.push('last'))]);
    expect(done.map((value) => String(value).length)).toEqual([text.length, 6, 4]);
    expect((await get(at)).val()).toBe('last');
  });

  test('[S248] after the move the client stops polling, and the page by which it reports the end of the polls does not end the session', async () => {
    const gateway = await proxyServer();
    const db = openThrough(gateway);
    const at = freshRef(db);
    await set(at, 'online');
    await onDisconnect(at).set('offline');
    await untilUpgraded(gateway, db);
    await settle(db);
    const polls = await countOf(gateway, '/.lp?id=');
    for (let i = 0; i < 20; i++) await set(child(at, 'n'), i);
    expect(await countOf(gateway, '/.lp?id=')).toBe(polls);
    expect((await get(at)).val()).toEqual({ n: 19 });
  });

  test('[S249] onDisconnect requests made over polls run when the WebSocket closes, not before', async () => {
    const gateway = await proxyServer();
    const db = openThrough(gateway);
    // Connect this client first. Once the other client finds that WebSockets work, the SDK clears the failure in the
    // storage that both clients share.
    await untilConnected(db);
    const other = openClient(ns, { transport: 'chosen' });
    const at = freshRef(other);
    const log = recordValues(at);
    await untilValue(log, null);
    await set(sameRef(db, at), 'online');
    await onDisconnect(sameRef(db, at)).set('offline');
    await untilUpgraded(gateway, db);
    await settle(db);
    await settle(other);
    expect(log.events.map(([, , value]) => value)).toEqual([null, 'online']);
    await disconnect(db);
    await untilValue(log, 'offline');
  });

  test('[S250] behind a proxy that rejects WebSockets, a client continues to poll', async () => {
    const gateway = await proxyServer({ isBlocking: true });
    const db = openThrough(gateway);
    const connections = recordValues(ref(db, '.info/connected'));
    const other = openClient(ns, { transport: 'chosen' });
    const at = freshRef(db);
    const log = recordValues(sameRef(db, at));
    for (let i = 0; i < 50; i++) await set(sameRef(other, at), i);
    await untilValue(log, 49);
    await set(at, 'own');
    expect(connections.events.map(([, , value]) => value)).toEqual([false, true]);
    expect(await countOf(gateway, '/.ws')).toBe(0);
  });

  test('[S251] a client whose WebSockets become blocked returns to polls and misses nothing', async () => {
    failure.set(null);
    const gateway = await proxyServer();
    const db = openThrough(gateway);
    const other = openClient(ns, { transport: 'chosen' });
    const at = freshRef(other);
    const log = recordValues(sameRef(db, at));
    await untilValue(log, null);
    expect(await countOf(gateway, '/.lp')).toBe(0);
    await gateway.block();
    await untilConnected(db, false);
    await set(at, 'while blocked');
    await untilValue(log, 'while blocked');
    await set(sameRef(db, at), 'own');
    await settle(other);
    expect((await get(at)).val()).toBe('own');
    expect(await countOf(gateway, '/.lp?start=')).toBeGreaterThan(0);
  });
});
