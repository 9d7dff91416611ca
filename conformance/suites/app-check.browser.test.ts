import { connectHearth, hearthAuth } from '@hearth/client';
import { hearthAppCheck } from '@hearth/client/app-check';
import { getLimitedUseToken, getToken, initializeAppCheck } from 'firebase/app-check';
import { inMemoryPersistence, signInAnonymously } from 'firebase/auth';
import { get, ref, set } from 'firebase/database';
import { expect, inject, test } from 'vitest';
import { openHostedApp } from '../drivers/auth.ts';
import { watchOrigins } from '../drivers/runtime.ts';
import { openOwnServer } from '../drivers/test-bed-client.ts';

/** Returns an ID that no other test uses, because the SDK stores tokens by the name and the ID of an app. */
const freshAppId = (): string => `1:1234:web:${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;

/** Returns the claims of a token. */
function claimsOf(token: string): Readonly<Record<string, unknown>> {
  const [, claims = ''] = token.split('.');
  return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')));
}

/** Sends a request as an administrator. */
async function asOwner(url: string, method: string, path: string, body: object): Promise<void> {
  const headers = { authorization: 'Bearer owner', 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  expect([answer.status, await answer.text()]).toEqual([200, expect.anything()]);
}

test('[I1173] the SDK gets tokens from hearthAppCheck, and reaches accounts and databases that require them', async () => {
  const server = await openOwnServer();
  const origins = await watchOrigins();
  await asOwner(server.url, 'PATCH', '/v2/projects/demo/config?updateMask=appCheckConfig,recaptchaConfig', {
    appCheckConfig: { accounts: 'ENFORCED', database: 'ENFORCED' },
    // The lowest cost is enough: the test needs a solved challenge, not a hard one.
    recaptchaConfig: { hearth: { cost: 2_000 } },
  });
  const options = { persistence: inMemoryPersistence };
  const appId = freshAppId();
  const app = openHostedApp({ appId, databaseURL: 'https://demo-default-rtdb.firebaseio.com' });
  const provider = hearthAppCheck(app, server.url);
  const appCheck = initializeAppCheck(app, { provider, isTokenAutoRefreshEnabled: true });
  const { token } = await getToken(appCheck);
  const claims = claimsOf(token);
  expect(claims).toMatchObject({ sub: appId, aud: expect.arrayContaining(['projects/demo']) });
  expect(Number(claims['exp']) - Number(claims['iat'])).toBe(3_600);
  const { auth, database } = connectHearth(app, server.url, options);
  expect((await signInAnonymously(auth)).user.isAnonymous).toBe(true);
  await set(ref(database, 'a'), 1);
  expect((await get(ref(database, 'a'))).val()).toBe(1);
  expect((await getToken(appCheck)).token).toBe(token);
  expect(origins()).toEqual([server.url]);
  const stranger = hearthAuth(openHostedApp(), server.url, options);
  await expect(signInAnonymously(stranger)).rejects.toMatchObject({
    code: 'auth/firebase-app-check-token-is-invalid.',
  });
});

test('[I1174] with a debug token, the SDK gets new tokens, and tokens for a single request', async () => {
  const url = inject('serverUrl');
  const appId = freshAppId();
  const debugToken = crypto.randomUUID();
  const token = { displayName: 'test', token: debugToken };
  await asOwner(url, 'POST', `/v1/projects/demo/apps/${appId}/debugTokens`, token);
  const app = openHostedApp({ appId });
  const appCheck = initializeAppCheck(app, { provider: hearthAppCheck(app, url, { debugToken }) });
  const first = await getToken(appCheck);
  const second = await getToken(appCheck, true);
  expect(second.token).not.toBe(first.token);
  expect((await getToken(appCheck)).token).toBe(second.token);
  const { exp, iat } = claimsOf((await getLimitedUseToken(appCheck)).token);
  expect(Number(exp) - Number(iat)).toBe(300);
  const other = openHostedApp({ appId: freshAppId() });
  const provider = hearthAppCheck(other, url, { debugToken });
  await expect(getToken(initializeAppCheck(other, { provider }))).rejects.toThrow('PERMISSION_DENIED');
});
