import {
  child,
  type DatabaseReference,
  get,
  goOffline,
  limitToFirst,
  limitToLast,
  onDisconnect,
  orderByChild,
  push,
  query,
  ref,
  runTransaction,
  set,
  update,
} from 'firebase/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { unsignedToken } from '../drivers/credentials.ts';
import { recordValues, untilValue } from '../drivers/event-log.ts';
import type { JsonObject } from '../drivers/json.ts';
import { openNamespace, putRules, writeRules } from '../drivers/namespace.ts';
import {
  disconnect,
  openClient,
  openSignInClient,
  pathOf,
  reconnect,
  sameRef,
  settle,
  untilConnected,
} from '../drivers/sdk.ts';
import { tapServer } from '../drivers/test-bed-client.ts';
import { until } from '../drivers/until.ts';

const RULES = {
  settle: { '.read': true },
  open: { '.read': true, '.write': true, inner: { '.read': false, '.write': false } },
  readable: { '.read': true },
  closed: { '.read': false, '.write': false },
  users: { '.read': 'auth != null', '.write': 'auth != null' },
  'by-user': { $user: { '.read': 'auth != null', '.write': 'auth != null' } },
} as const satisfies JsonObject;

describe('Rules and auth', () => {
  let ns = '';
  beforeAll(async () => {
    ns = await openNamespace({ rules: RULES });
  });

  /** Returns a location below one of the paths that have rules, with data written by the owner. */
  async function openLocation(parent: keyof typeof RULES, value: unknown = null): Promise<DatabaseReference> {
    const owner = openClient(ns, { mockUser: 'owner' });
    const at = push(ref(owner, parent));
    await set(at, value);
    return at;
  }

  test('[S211] a denied set fails with PERMISSION_DENIED and its code', async () => {
    const failed = set(ref(openClient(ns), 'closed/x'), 1);
    await expect(failed).rejects.toMatchObject({
      message: 'PERMISSION_DENIED: Permission denied',
      code: 'PERMISSION_DENIED',
    });
  });

  test('[S212] after a denied set a listener of the writer has the data of the server again', async () => {
    const at = sameRef(openClient(ns), await openLocation('readable', 'kept'));
    const log = recordValues(at);
    await untilValue(log, 'kept');
    await expect(set(at, 'mine')).rejects.toThrow('PERMISSION_DENIED');
    expect(log.events.map(([, , value]) => value)).toEqual(['kept', 'mine', 'kept']);
  });

  test('[S213] no other client sees a denied write', async () => {
    const watcher = openClient(ns);
    const at = await openLocation('readable', 'kept');
    const log = recordValues(sameRef(watcher, at));
    await untilValue(log, 'kept');
    await expect(set(sameRef(openClient(ns), at), 'mine')).rejects.toThrow('PERMISSION_DENIED');
    await settle(watcher);
    expect(log.events).toHaveLength(1);
  });

  test('[S214] an update with one denied path changes nothing', async () => {
    const db = openClient(ns);
    const at = await openLocation('open', 'kept');
    const failed = update(ref(db), { [pathOf(at)]: 'changed', 'closed/x': 1 });
    await expect(failed).rejects.toThrow('PERMISSION_DENIED: Permission denied');
    expect((await get(sameRef(db, at))).val()).toBe('kept');
  });

  test('[S215] a denied listener is canceled with the path and the reason', async () => {
    const log = recordValues(ref(openClient(ns), 'closed/x'));
    await until(() =>
      expect(log.errors).toMatchObject([
        {
          message:
            "permission_denied at /closed/x: Client doesn't have permission to access the desired data.",
          code: 'PERMISSION_DENIED',
        },
      ]),
    );
    expect(log.events).toEqual([]);
  });

  test('[S216] a denied query is canceled', async () => {
    const log = recordValues(query(ref(openClient(ns), 'closed'), limitToLast(2)));
    await until(() => expect(log.errors).toHaveLength(1));
  });

  test('[S217] a denied get fails with `Permission denied`', async () => {
    await expect(get(ref(openClient(ns), 'closed/x'))).rejects.toThrow('Permission denied');
  });

  test('[S218] if no rule allows an operation, it is denied', async () => {
    const db = openClient(ns);
    await expect(get(ref(db, 'unruled/x'))).rejects.toThrow('Permission denied');
    await expect(set(ref(db, 'unruled/x'), 1)).rejects.toThrow('PERMISSION_DENIED');
    await expect(set(ref(db, 'readable/x'), 1)).rejects.toThrow('PERMISSION_DENIED');
    await expect(get(ref(db))).rejects.toThrow('Permission denied');
  });

  test('[S219] a rule that allows access applies to everything below its path, regardless of the rules there', async () => {
    const db = openClient(ns);
    await set(ref(db, 'open/inner/x'), 1);
    expect((await get(ref(db, 'open/inner/x'))).val()).toBe(1);
  });

  test('[S220] a denied transaction fails with permission_denied after one call of its function', async () => {
    const at = sameRef(openClient(ns), await openLocation('readable', 4));
    let calls = 0;
    const failed = runTransaction(at, () => {
      calls += 1;
      return 5;
    });
    await expect(failed).rejects.toThrow('permission_denied');
    expect(calls).toBe(1);
  });

  test('[S221] an onDisconnect request is authorized when it is made', async () => {
    const db = openClient(ns);
    await expect(onDisconnect(ref(db, 'closed/x')).set(1)).rejects.toThrow(
      'PERMISSION_DENIED: Permission denied',
    );
    await expect(onDisconnect(ref(db, 'closed')).update({ x: 1 })).rejects.toThrow('PERMISSION_DENIED');
    await expect(onDisconnect(ref(db, 'closed/x')).remove()).rejects.toThrow('PERMISSION_DENIED');
  });

  test('[S222] an onDisconnect request is authorized again when it runs', async () => {
    const own = await openNamespace();
    const leaver = openClient(own);
    const watcher = openClient(own);
    await set(ref(leaver, 'a'), 'online');
    await onDisconnect(ref(leaver, 'a')).set('offline');
    const log = recordValues(ref(watcher, 'a'));
    await untilValue(log, 'online');
    await writeRules(own, { rules: { '.read': true, b: { '.write': true } } });
    const second = openClient(own);
    const marker = recordValues(ref(watcher, 'b'));
    await onDisconnect(ref(second, 'b')).set(true);
    goOffline(leaver);
    await untilConnected(leaver, false);
    goOffline(second);
    await untilValue(marker, true);
    expect(log.events).toHaveLength(1);
  });

  test('[S223] only a signed-in user passes `auth != null`', async () => {
    const at = await openLocation('users');
    const user = openClient(ns, { mockUser: { sub: 'alice' } });
    await set(sameRef(user, at), 1);
    expect((await get(sameRef(user, at))).val()).toBe(1);
    await expect(set(sameRef(openClient(ns), at), 2)).rejects.toThrow('PERMISSION_DENIED');
    await expect(get(sameRef(openClient(ns), at))).rejects.toThrow('Permission denied');
  });

  test('[S224] rules below a $ key apply to every key there', async () => {
    const user = openClient(ns, { mockUser: { sub: 'alice' } });
    await set(ref(user, 'by-user/alice'), 1);
    await set(ref(user, 'by-user/bob/deep'), 1);
    await expect(set(ref(user, 'by-user'), {})).rejects.toThrow('PERMISSION_DENIED');
  });

  test('[S225] an unsigned token issued in 1970 is still valid', async () => {
    const { db } = openSignInClient(ns, unsignedToken('alice', 0));
    await expect(set(push(ref(db, 'users')), 1)).resolves.toBeUndefined();
  });

  test('[S226] the owner passes all rules', async () => {
    const owner = openClient(ns, { mockUser: 'owner' });
    const at = push(ref(owner, 'closed'));
    await set(at, 1);
    expect((await get(at)).val()).toBe(1);
  });

  test('[S227] a user who signs in after a denied write can write', async () => {
    const client = openSignInClient(ns, null);
    const at = push(ref(client.db, 'users'));
    await expect(set(at, 1)).rejects.toThrow('PERMISSION_DENIED');
    client.sign(unsignedToken('alice'));
    await set(at, 2);
    expect((await get(at)).val()).toBe(2);
  });

  test('[S228] signing out cancels the listeners that need a user, and no others', async () => {
    const client = openSignInClient(ns, unsignedToken('alice'));
    const open = await openLocation('open', 1);
    const users = await openLocation('users', { a: 1, b: 2 });
    const kept = recordValues(sameRef(client.db, open));
    const plain = recordValues(child(sameRef(client.db, users), 'a'));
    const window = recordValues(query(sameRef(client.db, users), limitToLast(1)));
    await untilValue(kept, 1);
    await untilValue(plain, 1);
    await untilValue(window, { b: 2 });
    client.sign(null);
    await until(() => expect([plain.errors.length, window.errors.length]).toEqual([1, 1]));
    expect(plain.errors[0]).toMatchObject({ code: 'PERMISSION_DENIED' });
    await set(open, 2);
    await untilValue(kept, 2);
    await set(users, { a: 10, c: 3 });
    await settle(client.db);
    expect([plain.events.length, window.events.length, kept.errors.length]).toEqual([1, 1, 0]);
  });

  test('[S229] a token refresh causes no events', async () => {
    const tap = await tapServer();
    const client = openSignInClient(ns, unsignedToken('alice', 1), tap.url);
    const users = await openLocation('users', { a: 1 });
    const log = recordValues(sameRef(client.db, users));
    await untilValue(log, { a: 1 });
    const before = (await tap.pushesAt(pathOf(users))).length;
    client.sign(unsignedToken('alice', 2));
    await settle(client.db);
    expect(await tap.pushesAt(pathOf(users))).toHaveLength(before);
    await set(child(users, 'b'), 2);
    await untilValue(log, { a: 1, b: 2 });
    expect([log.events.length, log.errors.length]).toEqual([2, 0]);
  });

  test('[S230] a signed-in client that reconnects is signed in before its listeners are served', async () => {
    const client = openSignInClient(ns, unsignedToken('alice'));
    const users = await openLocation('users', 1);
    const log = recordValues(sameRef(client.db, users));
    await untilValue(log, 1);
    await disconnect(client.db);
    await set(users, 2);
    await reconnect(client.db);
    await untilValue(log, 2);
    expect(log.errors).toEqual([]);
  });

  test('[S231] requests sent right after a sign-in have the rights of the user', async () => {
    const client = openSignInClient(ns, unsignedToken('alice'));
    const at = push(ref(client.db, 'users'));
    const log = recordValues(at);
    const written = set(at, 1);
    await Promise.all([written, onDisconnect(at).remove()]);
    await untilValue(log, 1);
    expect(log.errors).toEqual([]);
  });

  test('[S232] new rules cancel the listeners that they deny, and no others', async () => {
    const own = await openNamespace();
    const db = openClient(own);
    const closing = recordValues(ref(db, 'closing'));
    const window = recordValues(query(ref(db, 'closing'), orderByChild('x'), limitToFirst(1)));
    const staying = recordValues(ref(db, 'staying'));
    await settle(db);
    await writeRules(own, { rules: { staying: { '.read': true, '.write': true } } });
    await until(() => expect([closing.errors.length, window.errors.length]).toEqual([1, 1]));
    await set(ref(db, 'staying'), 1);
    await untilValue(staying, 1);
    await expect(set(ref(db, 'closing'), 1)).rejects.toThrow('PERMISSION_DENIED');
    expect(staying.errors).toEqual([]);
  });

  test('[S233] an index declared by new rules is available immediately', async () => {
    const own = await openNamespace({ rules: { '.read': true, '.write': true } });
    const db = openClient(own);
    await set(ref(db, 'list'), { a: { h: 2 }, b: { h: 1 } });
    const lowest = () => get(query(ref(db, 'list'), orderByChild('h'), limitToFirst(1)));
    await expect(lowest()).rejects.toThrow('Index not defined');
    await writeRules(own, { rules: { '.read': true, '.write': true, list: { '.indexOn': ['h'] } } });
    expect((await lowest()).val()).toEqual({ b: { h: 1 } });
  });

  test.each([
    ['{"rules":{".read":"root.child(\'x\')"}}'],
    ['{"rules":{".read":"newData.exists()"}}'],
    ['{"rules":{".write":"user.uid == \'alice\'"}}'],
    ['{"rules":{".validate":"newData.isString() &&"}}'],
    ['{"rules":{"a":{".read":1}}}'],
    ['{"rules":{"a":{".read":null}}}'],
    ['{"rules":{"a":5}}'],
    ['{"rules":{".indexOn":7}}'],
    ['{"rules":{".unknown":true}}'],
    ['{"rules":{"a.b":{}}}'],
    ['{"rules":{},"more":1}'],
    ['{}'],
    ['[]'],
    ['{"rules":'],
    [''],
  ])('[S234] invalid rules are rejected and the old ones stay: %s', async (text) => {
    const own = await openNamespace({ rules: { open: { '.read': true, '.write': true } } });
    const answer = await putRules(own, text);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toEqual({ error: expect.any(String) });
    const db = openClient(own);
    await set(ref(db, 'open/x'), 1);
    await expect(set(ref(db, 'x'), 1)).rejects.toThrow('PERMISSION_DENIED');
  });
});
