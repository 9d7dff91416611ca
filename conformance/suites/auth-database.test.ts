import {
  createUserWithEmailAndPassword,
  deleteUser,
  signInAnonymously,
  signInWithCustomToken,
  signInWithEmailAndPassword,
  signOut,
  updatePassword,
} from 'firebase/auth';
import { get, ref, set } from 'firebase/database';
import { describe, expect, test } from 'vitest';
import {
  APP_METHODS,
  changeAccount,
  customToken,
  deleteAccount,
  freshEmail,
  openAuthDatabase,
  PASSWORD,
} from '../drivers/auth.ts';
import { expectWriteDenied, recordValues, untilCancelled, untilValue } from '../drivers/event-log.ts';
import { openRuledDatabase, settle } from '../drivers/sdk.ts';
import { tapServer } from '../drivers/test-bed-client.ts';
import { until } from '../drivers/until.ts';

const RULES = {
  open: { '.read': true },
  own: { $uid: { '.read': 'auth.uid === $uid', '.write': 'auth.uid === $uid' } },
  mail: { '.write': 'newData.val() === auth.token.email && auth.token.email_verified === false' },
  provider: { '.write': 'newData.val() === auth.token.firebase.sign_in_provider && auth.provider !== null' },
  staff: {
    '.read': 'auth.token.staff === true',
    '.write': "auth.token.role === 'x' || auth.token.level >= 3",
  },
} as const;

describe.each(APP_METHODS)('Users and data of one app, with %s', (by) => {
  /** Creates a database with the rules; returns a function that opens an app with an Auth and this database. */
  const openRuled = async (data: unknown = null) => {
    const { namespace, owner } = await openRuledDatabase(RULES, data);
    return { owner, openApp: () => openAuthDatabase(namespace, by) };
  };

  /** Signs a user in who listens to public data, to their own data and to whether the app is connected. */
  const openListening = async () => {
    const { owner, openApp } = await openRuled({ open: 1 });
    const { auth, db } = openApp();
    const { user } = await signInAnonymously(auth);
    const open = recordValues(ref(db, 'open'));
    const own = recordValues(ref(db, `own/${user.uid}`));
    const isConnected = recordValues(ref(db, '.info/connected'));
    await untilValue(open, 1);
    await untilValue(own, null);
    isConnected.clear();
    return { owner, auth, db, user, open, own, isConnected };
  };

  test('[S367] rules see the uid, the email address and the provider of the signed-in user', async () => {
    const { openApp } = await openRuled();
    const { auth, db } = openApp();
    const email = freshEmail();
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    await set(ref(db, `own/${user.uid}`), 'mine');
    expect((await get(ref(db, `own/${user.uid}`))).val()).toBe('mine');
    await expectWriteDenied(set(ref(db, 'own/somebody'), 'not mine'));
    await set(ref(db, 'mail'), email);
    await expectWriteDenied(set(ref(db, 'mail'), freshEmail()));
    await set(ref(db, 'provider'), 'password');
  });

  test('[S367] a write sent right after a sign-in has the rights of the user', async () => {
    const { openApp } = await openRuled();
    const { auth, db } = openApp();
    await expectWriteDenied(set(ref(db, 'provider'), 'anonymous'));
    await signInAnonymously(auth);
    await set(ref(db, 'provider'), 'anonymous');
    const uid = crypto.randomUUID();
    await signInWithCustomToken(auth, customToken(uid, { level: 3 }));
    await set(ref(db, 'provider'), 'custom');
    await set(ref(db, 'staff'), 'by claims of the custom token');
    await set(ref(db, `own/${uid}`), 1);
  });

  test('[S368] claims that an administrator adds apply from the next token on', async () => {
    const { openApp } = await openRuled({ staff: 'news' });
    const { auth, db } = openApp();
    const { user } = await signInAnonymously(auth);
    const denied = recordValues(ref(db, 'staff'));
    await untilCancelled(denied, 'staff');
    await changeAccount(user.uid, { customAttributes: '{"staff":true,"role":"x"}' });
    await expectWriteDenied(set(ref(db, 'staff'), 'too soon'));
    expect((await user.getIdTokenResult(true)).claims).toMatchObject({ staff: true, role: 'x' });
    const allowed = recordValues(ref(db, 'staff'));
    await untilValue(allowed, 'news');
    await set(ref(db, 'staff'), 'more news');
    await changeAccount(user.uid, { customAttributes: '{}' });
    await user.getIdToken(true);
    await untilCancelled(allowed, 'staff');
  });

  test('[S369] signing out cancels the listeners that need a user, and no others', async () => {
    const { owner, openApp } = await openRuled({ open: 1 });
    const { auth, db } = openApp();
    const { user } = await signInAnonymously(auth);
    const open = recordValues(ref(db, 'open'));
    const own = recordValues(ref(db, `own/${user.uid}`));
    await untilValue(open, 1);
    await untilValue(own, null);
    await signOut(auth);
    await untilCancelled(own, `own/${user.uid}`);
    await expectWriteDenied(set(ref(db, `own/${user.uid}`), 1));
    await set(ref(owner, 'open'), 2);
    await untilValue(open, 2);
    expect(open.errors).toEqual([]);
  });

  test('[S369] when another user signs in, listeners that this user may not use are canceled', async () => {
    const { openApp } = await openRuled();
    const { auth, db } = openApp();
    const first = await createUserWithEmailAndPassword(auth, freshEmail(), PASSWORD);
    const own = recordValues(ref(db, `own/${first.user.uid}`));
    await untilValue(own, null);
    const second = await createUserWithEmailAndPassword(auth, freshEmail(), PASSWORD);
    await untilCancelled(own, `own/${first.user.uid}`);
    await expectWriteDenied(set(ref(db, `own/${first.user.uid}`), 1));
    await set(ref(db, `own/${second.user.uid}`), 2);
  });

  test.each([
    ['account is disabled', (uid: string) => changeAccount(uid, { disableUser: true })],
    ['account is deleted', deleteAccount],
    [
      'tokens are revoked',
      (uid: string) => changeAccount(uid, { validSince: String(Math.floor(Date.now() / 1_000)) }),
    ],
  ])('[S370] when the %s, the connection restarts and the app signs out', async (_what, end) => {
    const { owner, auth, db, user, open, own, isConnected } = await openListening();
    await end(user.uid);
    await until(() => expect(isConnected.events.map(([, , value]) => value)).toEqual([false, true]));
    await until(() => expect(auth.currentUser).toBeNull());
    await untilCancelled(own, `own/${user.uid}`);
    await expectWriteDenied(set(ref(db, `own/${user.uid}`), 1));
    await set(ref(owner, 'open'), 2);
    await untilValue(open, 2);
    expect(open.errors).toEqual([]);
  });

  test('[S371] a user who changes the password loses no listener', async () => {
    const { owner, openApp } = await openRuled();
    const { auth, db } = openApp();
    const email = freshEmail();
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    const own = recordValues(ref(db, `own/${user.uid}`));
    await untilValue(own, null);
    await updatePassword(user, 'another password');
    await set(ref(db, `own/${user.uid}`), 'mine');
    await set(ref(owner, `own/${user.uid}`), 'from elsewhere');
    await untilValue(own, 'from elsewhere');
    expect(own.errors).toEqual([]);
  });

  test('[S388] a user who deletes the account and signs in again keeps the connection', async () => {
    const { owner, auth, db, user, open, own, isConnected } = await openListening();
    for (let round = 0; round < 3; round++) {
      const { currentUser } = auth;
      if (currentUser === null) throw new Error('The user is signed out.');
      await deleteUser(currentUser);
      const next = await signInAnonymously(auth);
      await set(ref(db, `own/${next.user.uid}`), round);
    }
    await untilCancelled(own, `own/${user.uid}`);
    await set(ref(owner, 'open'), 2);
    await untilValue(open, 2);
    expect(open.errors).toEqual([]);
    expect(isConnected.events).toEqual([]);
  });

  test('[S371] a user who signs in after the account was disabled and enabled again can write', async () => {
    const { openApp } = await openRuled();
    const { auth, db } = openApp();
    const email = freshEmail();
    const { user } = await createUserWithEmailAndPassword(auth, email, PASSWORD);
    await set(ref(db, `own/${user.uid}`), 1);
    await changeAccount(user.uid, { disableUser: true });
    await until(() => expect(auth.currentUser).toBeNull());
    await expectWriteDenied(set(ref(db, `own/${user.uid}`), 2));
    await changeAccount(user.uid, { disableUser: false });
    await signInWithEmailAndPassword(auth, email, PASSWORD);
    await set(ref(db, `own/${user.uid}`), 3);
    await settle(db);
    expect((await get(ref(db, `own/${user.uid}`))).val()).toBe(3);
  });
});

test('[S370] before the server ends a connection, it sends the reason, and does not revoke the listens', async () => {
  const tap = await tapServer();
  const { namespace } = await openRuledDatabase(RULES);
  const { auth, db } = openAuthDatabase(namespace, 'the emulator functions', tap.url);
  const { user } = await signInAnonymously(auth);
  const own = recordValues(ref(db, `own/${user.uid}`));
  await untilValue(own, null);
  await changeAccount(user.uid, { disableUser: true });
  await tap.untilMessage(({ from, action }) => from === 'server' && action === 'ac');
  await untilCancelled(own, `own/${user.uid}`);
  expect((await tap.messages()).filter(({ from, action }) => from === 'server' && action === 'c')).toEqual(
    [],
  );
});
