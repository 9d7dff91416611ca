import { connectHearth } from '@hearth/client';
import { installCaptcha } from '@hearth/client/captcha';
import {
  getToken,
  initializeAppCheck,
  ReCaptchaEnterpriseProvider,
  ReCaptchaV3Provider,
} from 'firebase/app-check';
import { inMemoryPersistence, signInAnonymously } from 'firebase/auth';
import { get, ref, set } from 'firebase/database';
import { expect, test } from 'vitest';
import { openHostedApp } from '../drivers/auth.ts';
import { watchOrigins } from '../drivers/runtime.ts';
import { openOwnServer } from '../drivers/test-bed-client.ts';

/** Returns an ID that no other test uses: the SDK stores tokens by the name and the ID of an app. */
const freshAppId = (): string => `1:1234:web:${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`;

/** The providers of the SDK, with a key that an app has from Google. */
const PROVIDERS = [
  new ReCaptchaV3Provider('key-of-google'),
  new ReCaptchaEnterpriseProvider('key-of-google'),
];

test('[S876] the App Check providers and debug tokens of the unmodified SDK work with a server that requires tokens', async () => {
  const { url } = await openOwnServer();
  const origins = await watchOrigins();
  const asOwner = async (method: string, path: string, body: object): Promise<void> => {
    const headers = { authorization: 'Bearer owner', 'content-type': 'application/json' };
    const { status } = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
    expect(status).toBe(200);
  };
  await asOwner('PATCH', '/v2/projects/demo/config?updateMask=appCheckConfig,recaptchaConfig', {
    appCheckConfig: { accounts: 'ENFORCED', database: 'ENFORCED' },
    // The least cost: the test needs a challenge that is solved, not one that is hard.
    recaptchaConfig: { hearth: { cost: 2_000 } },
  });
  // This module is what the script `/__/auth/shim.js` installs.
  installCaptcha(url);
  for (const provider of PROVIDERS) {
    const appId = freshAppId();
    const app = openHostedApp({ appId, databaseURL: 'https://demo-default-rtdb.firebaseio.com' });
    const appCheck = initializeAppCheck(app, { provider, isTokenAutoRefreshEnabled: true });
    const { auth, database } = connectHearth(app, url, { persistence: inMemoryPersistence });
    expect((await signInAnonymously(auth)).user.isAnonymous).toBe(true);
    await set(ref(database, 'a'), appId);
    expect((await get(ref(database, 'a'))).val()).toBe(appId);
    const { token } = await getToken(appCheck);
    expect(JSON.parse(atob(token.split('.')[1] ?? ''))).toMatchObject({ sub: appId });
    expect((await getToken(appCheck, true)).token).not.toBe(token);
  }
  const appId = freshAppId();
  const debugToken = { displayName: 'test', token: crypto.randomUUID() };
  await asOwner('POST', `/v1/projects/demo/apps/${appId}/debugTokens`, debugToken);
  Reflect.set(self, 'FIREBASE_APPCHECK_DEBUG_TOKEN', debugToken.token);
  const provider = new ReCaptchaV3Provider('key-of-google');
  expect((await getToken(initializeAppCheck(openHostedApp({ appId }), { provider }))).token).not.toBe('');
  expect(origins()).toEqual([url]);
  expect(document.querySelectorAll('script[src*="google"]')).toHaveLength(0);
});
