import type { Database } from 'firebase-admin/database';
import { ServerValue } from 'firebase-admin/database';
import { expect, test } from 'vitest';
import type { JsonObject } from '../drivers/json.ts';
import { openNamespace, writeRules } from '../drivers/namespace.ts';
import { useAdminApps } from './admin-app.ts';

const openDatabase = useAdminApps();

const LOCKED: JsonObject = { rules: { '.read': false, '.write': false } };
const USERS_ONLY: JsonObject = { rules: { '.read': 'auth != null', '.write': 'auth != null' } };

async function openLocked(): Promise<Database> {
  return openDatabase(await openNamespace(LOCKED));
}

test('[S270] the Admin SDK writes and reads, regardless of the rules', async () => {
  const database = await openLocked();
  const rooms = database.ref('rooms');
  await rooms.set({ lobby: { seats: 2 } });
  await rooms.update({ 'lobby/name': 'Lobby', 'hall/seats': 9 });
  const added = await rooms.child('log').push({ at: ServerValue.TIMESTAMP });
  await rooms.child('hall').remove();
  const snapshot = await rooms.once('value');
  expect(snapshot.val()).toEqual({
    lobby: { seats: 2, name: 'Lobby' },
    log: { [added.key ?? '']: { at: expect.any(Number) } },
  });
  expect((await rooms.child('lobby/seats').get()).val()).toBe(2);
});

test('[S270] the Admin SDK receives the writes of other clients', async () => {
  const namespace = await openNamespace(LOCKED);
  const [reader, writer] = [openDatabase(namespace), openDatabase(namespace)];
  const seen: unknown[] = [];
  const all = new Promise<void>((resolve) => {
    reader.ref('list').on('child_added', (child) => {
      seen.push(child.val());
      if (seen.length === 3) resolve();
    });
  });
  for (const value of ['a', 'b', 'c']) await writer.ref('list').push(value);
  await all;
  expect(seen).toEqual(['a', 'b', 'c']);
});

test('[S270] the Admin SDK runs queries', async () => {
  const namespace = await openNamespace({ rules: { list: { '.indexOn': 'n' } } });
  const list = openDatabase(namespace).ref('list');
  await list.set({ x: { n: 3 }, y: { n: 1 }, z: { n: 2 } });
  const snapshot = await list.orderByChild('n').limitToFirst(2).once('value');
  const keys: (string | null)[] = [];
  snapshot.forEach((child) => {
    keys.push(child.key);
  });
  expect(keys).toEqual(['y', 'z']);
});

test('[S271] concurrent transactions of several Admin SDK apps all take effect', async () => {
  const namespace = await openNamespace(LOCKED);
  const counters = Array.from({ length: 3 }, () => openDatabase(namespace).ref('count'));
  const add = (value: unknown) => (typeof value === 'number' ? value : 0) + 1;
  const results = await Promise.all(
    counters.flatMap((counter) => Array.from({ length: 10 }, () => counter.transaction(add))),
  );
  expect(results.every(({ committed }) => committed)).toBe(true);
  expect((await counters[0]?.once('value'))?.val()).toBe(30);
});

test('[S272] rules are set from an object or from text with comments, and read back', async () => {
  const database = openDatabase(await openNamespace());
  await database.setRules(LOCKED);
  expect(await database.getRulesJSON()).toEqual(LOCKED);
  const text = '{\n  // Everybody may look.\n  "rules": { ".read": true, ".write": "auth != null" }\n}\n';
  await database.setRules(text);
  expect(await database.getRules()).toBe(text);
  expect(await database.getRulesJSON()).toEqual({ rules: { '.read': true, '.write': 'auth != null' } });
  await database.setRules(Buffer.from('{"rules":{}}'));
  expect(await database.getRules()).toBe('{"rules":{}}');
});

test('[S272] the rules of a new database can be read', async () => {
  const database = openDatabase(`conformance-${crypto.randomUUID()}`);
  expect(await database.getRulesJSON()).toHaveProperty('rules');
});

test('[S272] wrong rules are rejected with every error, and change nothing', async () => {
  const database = openDatabase(await openNamespace(LOCKED));
  await expect(database.setRules('{"rules": {".read": "auth =="}, "more": 1}')).rejects.toThrow(
    /^Error while accessing security rules: 1:\d+: .+\n1:\d+: .+$/,
  );
  expect(await database.getRulesJSON()).toEqual(LOCKED);
});

test('[S273] the rules treat an Admin SDK with `databaseAuthVariableOverride` as the user of the override', async () => {
  const namespace = await openNamespace(USERS_ONLY);
  const worker = openDatabase(namespace, { databaseAuthVariableOverride: { uid: 'worker' } });
  await worker.ref('a').set(1);
  expect((await worker.ref('a').once('value')).val()).toBe(1);
  await writeRules(namespace, LOCKED);
  await expect(worker.ref('a').set(2)).rejects.toThrow('PERMISSION_DENIED: Permission denied');
});

test('[S273] the rules treat an Admin SDK with a `databaseAuthVariableOverride` of null as an anonymous client', async () => {
  const anonymous = openDatabase(await openNamespace(USERS_ONLY), { databaseAuthVariableOverride: null });
  await expect(anonymous.ref('a').set(1)).rejects.toThrow('PERMISSION_DENIED: Permission denied');
  await expect(anonymous.ref('a').once('value')).rejects.toThrow('permission_denied');
});

const CLAIMS_RULES: JsonObject = {
  rules: {
    jobs: {
      '.read': "query.orderByChild == 'by' && query.equalTo == auth.uid",
      '.indexOn': 'by',
      $job: {
        '.write': "auth.uid == newData.child('by').val() && auth.token.roles.worker === true",
        '.validate': "newData.hasChildren(['by', 'state'])",
      },
    },
    open: { '.read': 'auth == null', '.write': 'auth == null', '.validate': 'newData.isNumber()' },
  },
};

test('[S273] with a `databaseAuthVariableOverride`, rules about claims, validation and queries apply', async () => {
  const namespace = await openNamespace(CLAIMS_RULES);
  const worker = { uid: 'worker', token: { roles: { worker: true } } };
  const database = openDatabase(namespace, { databaseAuthVariableOverride: worker });
  const jobs = database.ref('jobs');
  await jobs.child('a').set({ by: 'worker', state: 'new' });
  const denied = 'PERMISSION_DENIED: Permission denied';
  await expect(jobs.child('b').set({ by: 'other', state: 'new' })).rejects.toThrow(denied);
  await expect(jobs.child('b').set({ by: 'worker' })).rejects.toThrow(denied);
  await expect(jobs.update({ 'a/state': null })).rejects.toThrow(denied);
  await expect(jobs.child('a').remove()).rejects.toThrow(denied);
  const hers = await jobs.orderByChild('by').equalTo('worker').once('value');
  expect(hers.val()).toEqual({ a: { by: 'worker', state: 'new' } });
  await expect(jobs.once('value')).rejects.toThrow('permission_denied');
  const idle = openDatabase(namespace, { databaseAuthVariableOverride: { uid: 'worker' } });
  await expect(idle.ref('jobs/b').set({ by: 'worker', state: 'new' })).rejects.toThrow(denied);
});

test('[S273] with a `databaseAuthVariableOverride` of null, the Admin SDK may do only what the rules allow anonymous clients', async () => {
  const database = openDatabase(await openNamespace(CLAIMS_RULES), { databaseAuthVariableOverride: null });
  await database.ref('open').set(1);
  const added = await database.ref('open').transaction((value) => Number(value) + 1);
  expect(added.snapshot.val()).toBe(2);
  await expect(database.ref('open').transaction(() => 'text')).rejects.toThrow('permission_denied');
  expect((await database.ref('open').once('value')).val()).toBe(2);
  await expect(database.ref('open').set('text')).rejects.toThrow('PERMISSION_DENIED: Permission denied');
  await expect(database.ref('jobs/a').set({ by: null, state: 1 })).rejects.toThrow('PERMISSION_DENIED');
});
