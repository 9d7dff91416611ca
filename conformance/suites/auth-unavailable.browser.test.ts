import { hearthAuth } from '@hearth/client';
import { deleteApp } from 'firebase/app';
import { type Auth, signInAnonymously } from 'firebase/auth';
import { describe, expect, test } from 'vitest';
import { openHostedApp } from '../drivers/auth.ts';
import { openOwnServer, proxyServer } from '../drivers/test-bed-client.ts';

const UNREACHED = { code: 'auth/network-request-failed' };

describe('A page that starts while the server cannot be reached', () => {
  test('[S363] keeps its user behind a proxy that answers 503, and continues when the server is back', async () => {
    const proxy = await proxyServer();
    const { uid, startAgain } = await signInAndLeave(proxy.url);
    await proxy.fail();
    const auth = await startAgain();
    expect(auth.currentUser?.uid).toBe(uid);
    expect(await auth.currentUser?.getIdToken()).toEqual(expect.any(String));
    await expect(auth.currentUser?.getIdToken(true)).rejects.toMatchObject(UNREACHED);
    await expect(auth.currentUser?.reload()).rejects.toMatchObject(UNREACHED);
    expect(auth.currentUser?.uid).toBe(uid);
    await proxy.allow();
    await auth.currentUser?.reload();
    await auth.currentUser?.getIdToken(true);
    expect(auth.currentUser?.uid).toBe(uid);
  });

  test('[S363] keeps its user while the server does not answer, and continues when the server is back', async () => {
    const server = await openOwnServer();
    const { uid, startAgain } = await signInAndLeave(server.url);
    await server.end('kill');
    const auth = await startAgain();
    expect(auth.currentUser?.uid).toBe(uid);
    await expect(auth.currentUser?.getIdToken(true)).rejects.toMatchObject(UNREACHED);
    await server.start();
    await auth.currentUser?.getIdToken(true);
    expect(auth.currentUser?.uid).toBe(uid);
  });
});

/** Signs in, and deletes the app. `startAgain` opens the app again, with the user that the browser has stored. */
async function signInAndLeave(
  url: string,
): Promise<{ readonly uid: string; readonly startAgain: () => Promise<Auth> }> {
  const appName = crypto.randomUUID();
  const app = openHostedApp({}, appName);
  const { user } = await signInAnonymously(hearthAuth(app, url));
  await deleteApp(app);
  return {
    uid: user.uid,
    startAgain: async () => {
      const auth = hearthAuth(openHostedApp({}, appName), url);
      await auth.authStateReady();
      return auth;
    },
  };
}
