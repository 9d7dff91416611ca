import { connectHearth, hearthAuth } from '@hearth/client';
import {
  createUserWithEmailAndPassword,
  signInAnonymously,
  signInWithEmailAndPassword,
  signOut,
} from 'firebase/auth';
import { get, ref, set } from 'firebase/database';
import { describe, expect, inject, test } from 'vitest';
import { openHostedApp } from '../drivers/auth.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { watchOrigins } from '../drivers/runtime.ts';
import { proxyServer } from '../drivers/test-bed-client.ts';

describe('The client package', () => {
  test('[I196] signing up, in and out and refreshing tokens sends requests to the server and to no other host', async () => {
    const server = await proxyServer();
    const origins = await watchOrigins();
    const auth = hearthAuth(openHostedApp(), server.url);
    const email = `${crypto.randomUUID()}@example.com`;
    await signInAnonymously(auth);
    const { user } = await createUserWithEmailAndPassword(auth, email, 'a long password');
    await user.getIdToken(true);
    await signInWithEmailAndPassword(auth, email, 'a long password');
    expect(auth.currentUser?.uid).toBe(user.uid);
    await signOut(auth);
    const paths = (await server.addresses()).map((address) => address.replace(/\?.*/, ''));
    expect([...new Set(paths)].sort()).toEqual([
      '/v1/accounts:lookup',
      '/v1/accounts:signInWithPassword',
      '/v1/accounts:signUp',
      '/v1/token',
    ]);
    expect(origins()).toEqual([server.url]);
  });

  test('[I194] the database that `connectHearth` returns is stored at the server', async () => {
    const namespace = await openNamespace();
    const app = openHostedApp({ databaseURL: `https://${namespace}.firebaseio.com` });
    const { database } = connectHearth(app, inject('serverUrl'));
    await set(ref(database, 'greeting'), 'hello');
    expect((await get(ref(database, 'greeting'))).val()).toBe('hello');
    const stored = await fetch(`${inject('serverUrl')}/greeting.json?ns=${namespace}`);
    expect(await stored.json()).toBe('hello');
  });

  test('[I191][I194] the rules of the database see the user who is signed in', async () => {
    const namespace = await openNamespace({
      rules: { users: { $uid: { '.read': '$uid === auth.uid', '.write': '$uid === auth.uid' } } },
    });
    const app = openHostedApp({ databaseURL: `https://${namespace}.firebaseio.com` });
    const { auth, database } = connectHearth(app, inject('serverUrl'));
    const { user } = await signInAnonymously(auth);
    await set(ref(database, `users/${user.uid}`), 'mine');
    await expect(set(ref(database, 'users/somebody'), 'not mine')).rejects.toThrow('PERMISSION_DENIED');
  });
});
