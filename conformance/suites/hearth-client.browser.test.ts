import { hearthAuth } from '@hearth/client';
import { deleteApp } from 'firebase/app';
import {
  GoogleAuthProvider,
  getRedirectResult,
  signInAnonymously,
  signInWithRedirect,
  signOut,
} from 'firebase/auth';
import { describe, expect, test } from 'vitest';
import { openHostedApp } from '../drivers/auth.ts';
import { watchOrigins } from '../drivers/runtime.ts';
import { proxyServer } from '../drivers/test-bed-client.ts';

describe('The client package in a page', () => {
  test('[I197] at its start a page sends the token of a persisted user to the server and to no other host', async () => {
    const server = await proxyServer();
    const name = crypto.randomUUID();
    const first = openHostedApp({}, name);
    const { user } = await signInAnonymously(hearthAuth(first, server.url));
    await deleteApp(first);
    const origins = await watchOrigins();
    const before = (await server.addresses()).length;
    const auth = hearthAuth(openHostedApp({}, name), server.url);
    await auth.authStateReady();
    expect(auth.currentUser?.uid).toBe(user.uid);
    const paths = (await server.addresses()).slice(before).map((address) => address.replace(/\?.*/, ''));
    expect(new Set(paths)).toEqual(new Set(['/v1/accounts:lookup']));
    expect(origins()).toEqual([server.url]);
    await signOut(auth);
  });

  test('[I198] signing in with a redirect fails immediately and loads nothing', async () => {
    const server = await proxyServer();
    const origins = await watchOrigins();
    const auth = hearthAuth(openHostedApp(), server.url);
    const requestError = { code: 'auth/operation-not-supported-in-this-environment' };
    await expect(signInWithRedirect(auth, new GoogleAuthProvider())).rejects.toMatchObject(requestError);
    expect(origins()).toEqual([]);
  });

  test('[I198] getRedirectResult is null, even after a failed redirect', async () => {
    const server = await proxyServer();
    const name = crypto.randomUUID();
    const first = openHostedApp({}, name);
    const auth = hearthAuth(first, server.url);
    expect(await getRedirectResult(auth)).toBeNull();
    await expect(signInWithRedirect(auth, new GoogleAuthProvider())).rejects.toThrow();
    await deleteApp(first);
    const again = hearthAuth(openHostedApp({}, name), server.url);
    await again.authStateReady();
    expect(await getRedirectResult(again)).toBeNull();
  });
});
