import { hearthAuth } from '@hearth/client';
import { deleteApp } from 'firebase/app';
import { getRedirectResult, signInAnonymously, signOut } from 'firebase/auth';
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

  test('[I198] getRedirectResult is null on a page to which no redirect returned, and nothing is requested', async () => {
    const server = await proxyServer();
    const origins = await watchOrigins();
    const auth = hearthAuth(openHostedApp(), server.url);
    expect(await getRedirectResult(auth)).toBeNull();
    expect(origins()).toEqual([]);
  });

  test('[I1582] a code in the address that this tab did not ask for signs no user in, and is not sent', async () => {
    const server = await proxyServer();
    const origins = await watchOrigins();
    history.replaceState(null, '', `#/page&__fbauth=${'c'.repeat(43)}&challenge=${'h'.repeat(43)}`);
    const auth = hearthAuth(openHostedApp(), server.url);
    expect(location.hash).toBe('#/page');
    expect(await getRedirectResult(auth)).toBeNull();
    expect(auth.currentUser).toBeNull();
    expect(origins()).toEqual([]);
    history.replaceState(null, '', '#');
  });
});
