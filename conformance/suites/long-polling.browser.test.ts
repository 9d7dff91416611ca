import {
  type Database,
  get,
  increment,
  limitToLast,
  onDisconnect,
  orderByChild,
  query,
  runTransaction,
  set,
  update,
} from 'firebase/database';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { recordAll, recordValues, untilValue } from '../drivers/event-log.ts';
import { openNamespace, writeRules } from '../drivers/namespace.ts';
import {
  type ClientOptions,
  disconnect,
  freshRef,
  openClient,
  pathOf,
  reconnect,
  sameRef,
  untilConnected,
} from '../drivers/sdk.ts';
import { proxyServer } from '../drivers/test-bed-client.ts';
import { until } from '../drivers/until.ts';

describe('Long polling', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace();
  });

  function openPoller(options: ClientOptions = {}): Database {
    return openClient(ns, { transport: 'polling', ...options });
  }

  test('[S236] a client that polls connects, writes and reads, without any WebSocket', async () => {
    const gateway = await proxyServer();
    const db = openPoller({ url: gateway.url });
    await untilConnected(db);
    const at = freshRef(db);
    await set(at, { a: 1, b: 'text' });
    expect((await get(at)).val()).toEqual({ a: 1, b: 'text' });
    expect((await get(sameRef(openPoller({ via: 'emulator' }), at))).val()).toEqual({ a: 1, b: 'text' });
    const addresses = await gateway.addresses();
    expect(addresses.some((address) => address.startsWith('/.lp?start=t&'))).toBe(true);
    expect(addresses.filter((address) => address.startsWith('/.ws'))).toEqual([]);
  });

  test('[S237] a text of more than a thousand segments arrives complete, in both directions', async () => {
    const text = 'abc✔def🐵'.repeat(150_000);
    const at = freshRef(openPoller());
    await set(at, text);
    const read = (await get(sameRef(openPoller(), at))).val();
    expect(read === text).toBe(true);
  });

  test.each([
    ['line separators', 'a\u2028b\u2029c'],
    ['the end of a script', '</script><!-- <script> ]]> */'],
    ['quotes and backslashes', '\'"`\\ \\u2028 $`'],
    ['characters of all lengths', 'aé✔🐵\u0000\u001f\u007f\uffff'],
  ])('[S238] a text reads back exactly as written: %s', async (_name, text) => {
    const db = openPoller();
    const at = freshRef(db);
    const log = recordValues(sameRef(openPoller(), at));
    await set(at, text);
    await untilValue(log, text);
    expect((await get(sameRef(openPoller(), at))).val()).toBe(text);
  });

  test('[S239] hundreds of writes sent without waiting are executed and acknowledged in order', async () => {
    const db = openPoller();
    const at = freshRef(db);
    const log = recordValues(sameRef(openPoller(), at));
    const done: number[] = [];
    const numbers = Array.from({ length: 500 }, (_, i) => i);
    await Promise.all(numbers.map((i) => set(at, i).then(() => done.push(i))));
    expect(done).toEqual(numbers);
    await untilValue(log, 499);
    const seen = log.events.map(([, , value]) => Number(value));
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  test('[S240] a query with a limit receives the changes of another client', async () => {
    const reader = openPoller();
    const writer = openPoller();
    const at = freshRef(writer, 'indexed');
    await set(at, { a: { n: 1 }, b: { n: 2 } });
    const log = recordAll(query(sameRef(reader, at), orderByChild('n'), limitToLast(1)));
    await untilValue(log, { b: { n: 2 } });
    log.clear();
    await update(at, { c: { n: 3 } });
    await log.untilEqual([
      ['removed', 'b', { n: 2 }],
      ['added', 'c', { n: 3 }, null],
      ['value', at.key, { c: { n: 3 } }],
    ]);
  });

  test('[S241] concurrent transactions of two clients that poll all take effect', async () => {
    const first = openPoller();
    const second = openPoller();
    const at = freshRef(first);
    const add = (db: Database) => runTransaction(sameRef(db, at), (n: number | null) => (n ?? 0) + 1);
    await Promise.all([first, second].flatMap((db) => [add(db), add(db), add(db), add(db)]));
    expect((await get(at)).val()).toBe(8);
  });

  test('[S242] when a client goes offline, its onDisconnect requests run immediately, and its later writes are made when it goes online', async () => {
    const leaver = openPoller();
    const watcher = openPoller();
    const at = freshRef(leaver);
    await set(at, 'online');
    await onDisconnect(at).set('offline');
    const log = recordValues(sameRef(watcher, at));
    await untilValue(log, 'online');
    await disconnect(leaver);
    await untilValue(log, 'offline');
    const later = set(at, 'back');
    await reconnect(leaver);
    await later;
    await untilValue(log, 'back');
  });

  test('[S243] when a user leaves a page, the onDisconnect requests of the page run immediately', async () => {
    const db = openPoller();
    const at = freshRef(db);
    const log = recordValues(at);
    await untilValue(log, null);
    const page = document.createElement('iframe');
    const parameters = new URLSearchParams({
      url: `${inject('serverUrl')}?ns=${ns}`,
      path: pathOf(at),
    });
    page.src = `${inject('testBedUrl')}/leaving-page?${parameters}`;
    const registered = new Promise<void>((resolve) => {
      addEventListener('message', ({ data }) => data === 'registered' && resolve());
    });
    document.body.append(page);
    await registered;
    await untilValue(log, 'online');
    page.remove();
    await untilValue(log, 'offline');
  });

  test('[S244] behind a proxy that cuts idle connections, a client reconnects and misses nothing', async () => {
    const gateway = await proxyServer({ idleMs: 1_000 });
    const db = openPoller({ url: gateway.url });
    const other = openPoller();
    const at = freshRef(other);
    const log = recordValues(sameRef(db, at));
    await untilValue(log, null);
    await untilConnected(db, false);
    await set(at, 'written offline');
    await untilValue(log, 'written offline');
    await update(sameRef(db, at), { own: increment(1) });
    expect((await get(at)).val()).toEqual({ own: 1 });
  });

  test('[S245] a client that polls signs in, and is notified when it may no longer read', async () => {
    const own = await openNamespace({ rules: { '.read': 'auth != null', '.write': true } });
    const db = openClient(own, { transport: 'polling', mockUser: { sub: 'alice' } });
    const at = freshRef(db);
    const log = recordValues(at);
    await set(at, 'for alice');
    await untilValue(log, 'for alice');
    await writeRules(own, { rules: { '.read': false, '.write': true } });
    await until(() =>
      expect(log.errors.map(({ message }) => message)).toEqual([expect.stringMatching(/permission_denied/)]),
    );
  });
});
