import {
  child,
  equalTo,
  get,
  limitToLast,
  onDisconnect,
  orderByChild,
  query,
  ref,
  remove,
  serverTimestamp,
  set,
} from 'firebase/database';
import { describe, expect, test } from 'vitest';
import { unsignedToken } from '../drivers/credentials.ts';
import {
  type EventLog,
  expectWriteDenied,
  recordValues,
  untilCancelled,
  untilValue,
} from '../drivers/event-log.ts';
import type { JsonObject } from '../drivers/json.ts';
import { writeRules } from '../drivers/namespace.ts';
import {
  disconnect,
  openRuledDatabase,
  openSignInClient,
  reconnect,
  SETTLE,
  sameRef,
  settle,
} from '../drivers/sdk.ts';
import { until } from '../drivers/until.ts';

const OWN_LIST = "query.orderByChild == 'owner' && query.equalTo == auth.uid";

const RULES = {
  public: { '.read': true },
  users: { $user: { '.read': 'auth.uid == $user', '.write': 'auth.uid == $user' } },
  everybody: { '.read': 'auth != null' },
  staff: { '.read': 'auth.token.staff === true' },
  list: { '.read': OWN_LIST, '.indexOn': 'owner' },
} as const satisfies JsonObject;

/** Waits until exactly the named logs have been canceled, each once. */
async function untilOnlyCancelled<K extends string>(
  logs: Readonly<Record<K, EventLog>>,
  names: readonly K[],
): Promise<void> {
  const errors = (name: string, log: EventLog) => [name, log.errors.length] as const;
  const expected = (name: string) => (names.some((canceled) => canceled === name) ? 1 : 0);
  await until(() =>
    expect(Object.entries<EventLog>(logs).map(([name, log]) => errors(name, log))).toEqual(
      Object.keys(logs).map((name) => [name, expected(name)]),
    ),
  );
}

describe('Rules and changes of the user', () => {
  const DATA = {
    public: 1,
    users: { alice: 1, bob: 1 },
    everybody: 1,
    staff: 1,
    list: { a: { owner: 'alice' } },
  };

  /** Opens a client of alice, who is in the staff. The client listens to everything that she may read. */
  async function openListening() {
    const ruled = await openRuledDatabase(RULES, DATA);
    const client = openSignInClient(ruled.namespace, unsignedToken('alice', 1, { staff: true }));
    const at = (path: string) => ref(client.db, path);
    const logs = {
      public: recordValues(at('public')),
      alice: recordValues(at('users/alice')),
      everybody: recordValues(at('everybody')),
      staff: recordValues(at('staff')),
      list: recordValues(query(at('list'), orderByChild('owner'), equalTo('alice'))),
    };
    await until(() =>
      expect(Object.values(logs).map(({ events }) => events.length)).toEqual([1, 1, 1, 1, 1]),
    );
    return { ...ruled, ...client, logs };
  }

  test('[S320] when the user changes, the listeners that the rules still allow continue', async () => {
    const { db, logs, owner, sign } = await openListening();
    sign(unsignedToken('bob', 2, { staff: true }));
    await settle(db);
    await untilOnlyCancelled(logs, ['alice', 'list']);
    await untilCancelled(logs.alice, 'users/alice');
    await set(ref(owner), { ...DATA, public: 2, everybody: 2, staff: 2, users: { alice: 2 }, list: null });
    await untilValue(logs.staff, 2);
    await settle(db);
    expect(Object.values(logs).map(({ events }) => events.length)).toEqual([2, 1, 2, 2, 1]);
  });

  test('[S320] a token with other claims cancels the listeners that need the missing claims', async () => {
    const { db, logs, sign } = await openListening();
    sign(unsignedToken('alice', 2));
    await settle(db);
    await untilOnlyCancelled(logs, ['staff']);
  });

  test('[S320] signing out cancels the listeners that need a user', async () => {
    const { db, logs, sign } = await openListening();
    sign(null);
    await settle(db);
    await untilOnlyCancelled(logs, ['alice', 'everybody', 'staff', 'list']);
  });

  test('[S321] a client whose listener was canceled can listen to the path again when the rules allow it', async () => {
    const { db, logs, owner, sign } = await openListening();
    sign(null);
    await untilCancelled(logs.alice, 'users/alice');
    await set(ref(owner, 'users/alice'), 'later');
    sign(unsignedToken('alice', 2));
    const again = recordValues(ref(db, 'users/alice'));
    await untilValue(again, 'later');
    await set(ref(db, 'users/alice'), 'mine');
    await untilValue(again, 'mine');
    expect([again.errors, logs.alice.events.length]).toEqual([[], 1]);
  });

  test('[S322] a user who signs in may write their own data, and no other data', async () => {
    const { namespace } = await openRuledDatabase(RULES);
    const client = openSignInClient(namespace, null);
    const location = ref(client.db, 'users/alice');
    await expectWriteDenied(set(location, 1));
    client.sign(unsignedToken('bob'));
    await expectWriteDenied(set(location, 2));
    client.sign(unsignedToken('alice'));
    await set(location, 3);
    client.sign(null);
    await expectWriteDenied(set(location, 4));
  });
});

describe('Rules that are replaced', () => {
  test('[S323] new rules cancel the listeners that they deny, and decide queries by their parameters', async () => {
    const { namespace, owner, open } = await openRuledDatabase(
      { list: { '.read': true, '.indexOn': 'owner' }, room: { '.read': true } },
      { list: { a: { owner: 'alice' }, b: { owner: 'bob' } }, room: { hall: 1, attic: 1 } },
    );
    const alice = open({ sub: 'alice' });
    const list = ref(alice, 'list');
    const logs = {
      whole: recordValues(ref(open({ sub: 'alice' }), 'list')),
      hers: recordValues(query(list, orderByChild('owner'), equalTo('alice'))),
      bobs: recordValues(query(list, orderByChild('owner'), equalTo('bob'))),
      latest: recordValues(query(list, limitToLast(1))),
      hall: recordValues(ref(alice, 'room/hall')),
      attic: recordValues(ref(alice, 'room/attic')),
    };
    await until(() => expect(Object.values(logs).every(({ events }) => events.length === 1)).toBe(true));
    await writeRules(namespace, {
      rules: {
        ...SETTLE,
        list: { '.read': `${OWN_LIST} || query.limitToLast == 1`, '.indexOn': 'owner' },
        room: { $room: { '.read': 'data.val() == 1' }, attic: { '.read': 'false' } },
      },
    });
    await settle(alice);
    await untilOnlyCancelled(logs, ['whole', 'bobs', 'attic']);
    await set(ref(owner), { list: { c: { owner: 'alice' } }, room: { hall: 2 } });
    await untilValue(logs.hers, { c: { owner: 'alice' } });
    await untilValue(logs.latest, { c: { owner: 'alice' } });
    await untilValue(logs.hall, 2);
    await settle(alice);
    expect([logs.bobs.events.length, logs.attic.events.length]).toEqual([1, 1]);
  });

  test('[S324] a rule that reads data is evaluated when a listener is added and when rules change, but not when the data change', async () => {
    const rules = { ...SETTLE, room: { '.read': "root.child('members').child(auth.uid).exists()" } };
    const { namespace, owner, open } = await openRuledDatabase(rules, { room: 1, members: { alice: true } });
    const alice = open({ sub: 'alice' });
    const log = recordValues(ref(alice, 'room'));
    await untilValue(log, 1);
    await remove(ref(owner, 'members/alice'));
    await set(ref(owner, 'room'), 2);
    await untilValue(log, 2);
    expect(log.errors).toEqual([]);
    await expect(get(ref(open({ sub: 'alice' }), 'room'))).rejects.toThrow('Permission denied');
    await writeRules(namespace, { rules: { ...rules, other: { '.read': true } } });
    await untilCancelled(log, 'room');
    await set(ref(owner, 'room'), 3);
    await settle(alice);
    expect(log.events).toHaveLength(2);
  });

  test('[S325] new rules decide the writes that follow', async () => {
    const { namespace, open } = await openRuledDatabase({ n: { '.write': true } });
    const db = open();
    await set(ref(db, 'n'), 'text');
    await writeRules(namespace, {
      rules: { ...SETTLE, n: { '.write': true, '.validate': 'newData.isNumber()' } },
    });
    await expectWriteDenied(set(ref(db, 'n'), 'text'));
    await set(ref(db, 'n'), 1);
  });
});

describe('Rules and a client that was offline', () => {
  test('[S329] when a client reconnects, its listeners and writes are authorized by the rules and the user at that time', async () => {
    const { namespace, owner } = await openRuledDatabase(
      { $place: { '.read': true, '.write': 'auth != null' } },
      { open: 1, closed: 1, users: 1 },
    );
    const { db, sign } = openSignInClient(namespace, unsignedToken('alice'));
    const [open, closed, users] = [ref(db, 'open'), ref(db, 'closed'), ref(db, 'users')];
    const logs = { open: recordValues(open), closed: recordValues(closed), users: recordValues(users) };
    await untilValue(logs.users, 1);
    await disconnect(db);
    const denied = expectWriteDenied(set(open, 'mine'));
    sign(null);
    await writeRules(namespace, {
      rules: {
        ...SETTLE,
        open: { '.read': true, '.write': 'auth != null' },
        users: { '.read': 'auth != null' },
      },
    });
    await reconnect(db);
    await denied;
    await settle(db);
    await untilOnlyCancelled(logs, ['closed', 'users']);
    await set(ref(owner, 'open'), 2);
    await untilValue(logs.open, 2);
    expect(logs.open.events.map(([, , value]) => value)).toEqual([1, 'mine', 1, 2]);
  });
});

describe('Rules and onDisconnect', () => {
  const OWN = {
    status: {
      $user: {
        '.read': true,
        '.write': 'auth.uid == $user',
        state: { '.validate': "newData.val() == 'online' || newData.val() == 'offline'" },
        since: { '.validate': 'newData.val() == now' },
        $other: { '.validate': false },
      },
    },
    left: { '.read': true, '.write': true },
  } as const satisfies JsonObject;

  /** Opens a client of alice, whose status says that she is online. */
  async function openPresence(rules: JsonObject = OWN) {
    const ruled = await openRuledDatabase(rules, { status: { alice: { state: 'online' } } });
    const client = openSignInClient(ruled.namespace, unsignedToken('alice'));
    return { ...ruled, ...client, status: ref(client.db, 'status/alice') };
  }

  /** Disconnects the client of alice, waits until the server has finished her requests, and returns her status. */
  async function leave({ db, owner, namespace, status }: Awaited<ReturnType<typeof openPresence>>) {
    const last = openSignInClient(namespace, null).db;
    await onDisconnect(ref(last, 'left')).set(true);
    const left = recordValues(ref(owner, 'left'));
    await disconnect(db);
    await disconnect(last);
    await untilValue(left, true);
    return (await get(sameRef(owner, status))).val();
  }

  test('[S326] a request is authorized when it is made, including validation of what it will write', async () => {
    const presence = await openPresence();
    const { db, status } = presence;
    await expectWriteDenied(onDisconnect(child(status, 'state')).set('away'));
    await expectWriteDenied(onDisconnect(status).set({ state: 'offline', since: 1 }));
    await expectWriteDenied(onDisconnect(status).update({ state: 'offline', mood: 'sad' }));
    await expectWriteDenied(onDisconnect(status).setWithPriority({ state: 'away' }, 1));
    await expectWriteDenied(onDisconnect(ref(db, 'status/bob')).remove());
    expect(await leave(presence)).toEqual({ state: 'online' });
  });

  test('[S326] an allowed request runs, with the time of the disconnect', async () => {
    const presence = await openPresence();
    await onDisconnect(presence.status).set({ state: 'offline', since: serverTimestamp() });
    expect(await leave(presence)).toEqual({ state: 'offline', since: expect.any(Number) });
  });

  const WITHOUT_SINCE = {
    ...SETTLE,
    ...OWN,
    status: { $user: { ...OWN.status.$user, since: { '.validate': false } } },
  };

  test('[S327] when the client has disconnected, each of its requests is authorized again, by the rules at that time', async () => {
    const presence = await openPresence();
    await onDisconnect(child(presence.status, 'state')).set('offline');
    await onDisconnect(ref(presence.db, 'status/alice/since')).set(serverTimestamp());
    await writeRules(presence.namespace, { rules: WITHOUT_SINCE });
    expect(await leave(presence)).toEqual({ state: 'offline' });
  });

  test('[S327] if a path of an onDisconnect update is denied when it runs, the whole update changes nothing', async () => {
    const presence = await openPresence();
    await onDisconnect(presence.status).update({ state: 'offline', since: serverTimestamp() });
    await writeRules(presence.namespace, { rules: WITHOUT_SINCE });
    expect(await leave(presence)).toEqual({ state: 'online' });
  });

  test('[S327] when the client has disconnected, its requests are authorized again by the data at that time', async () => {
    const presence = await openPresence({
      ...OWN,
      status: {
        $user: { '.read': true, '.write': "auth.uid == $user && data.child('state').val() == 'online'" },
      },
    });
    await onDisconnect(presence.status).set({ state: 'offline' });
    await set(ref(presence.owner, 'status/alice/state'), 'banned');
    expect(await leave(presence)).toEqual({ state: 'banned' });
  });

  test('[S327] a client that reconnects sees that its denied requests changed nothing', async () => {
    const presence = await openPresence();
    const log = recordValues(presence.status);
    await untilValue(log, { state: 'online' });
    await onDisconnect(presence.status).update({ state: 'offline' });
    await writeRules(presence.namespace, { rules: { ...SETTLE, ...OWN, status: { '.read': true } } });
    await leave(presence);
    await reconnect(presence.db);
    await settle(presence.db);
    expect(log.events.map(([, , value]) => value)).toEqual([
      { state: 'online' },
      { state: 'offline' },
      { state: 'online' },
    ]);
  });

  test.each([
    ['signed out', null],
    ['signed in as bob', unsignedToken('bob')],
  ])('[S328] requests of alice are denied if the client is %s when it disconnects', async (_, token) => {
    const presence = await openPresence();
    await onDisconnect(presence.status).remove();
    presence.sign(token);
    await settle(presence.db);
    expect(await leave(presence)).toEqual({ state: 'online' });
  });

  test('[S328] requests still run after the client has received a newer token of the same user', async () => {
    const presence = await openPresence();
    await onDisconnect(presence.status).remove();
    presence.sign(unsignedToken('alice', 2));
    await settle(presence.db);
    expect(await leave(presence)).toBeNull();
  });
});
