import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../drivers/browser.ts';
import { type OidcServer, openOidcServer, signInAtProvider } from '../drivers/oidc-server.ts';
import { PopupApp, type PopupAppOptions } from '../drivers/popup-app.ts';
import { addProvider, PROVIDER_ID, providerConfig } from './oidc-provider.ts';
import { makeCertificate } from './own-certificate.ts';
import { openServing, type Serving } from './serving.ts';

let serving: Serving;
let provider: OidcServer;
let browser: Browser;
let apiKey: string;

beforeAll(async () => {
  [serving, browser] = await Promise.all([openServing(['--allow-private-providers']), openBrowser()]);
  provider = await openOidcServer(`${serving.url}/__/auth/handler`);
  apiKey = await serving.createProject('shop');
  await addProvider(serving, provider.issuer);
});

afterAll(async () => {
  await browser.close();
  provider.close();
  await serving.close();
});

async function openApp(change: Partial<PopupAppOptions> = {}): Promise<PopupApp> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const options = {
    serverUrl: serving.url,
    providerId: PROVIDER_ID,
    apiKey,
    by: 'hearthAuth',
    providerUrl: provider.issuer,
  } as const;
  return PopupApp.open(context, { ...options, ...change });
}

test.each([
  ["the package's resolver", { hasShim: false }],
  ["the SDK's own resolver and the script of the server", { usesStockResolver: true }],
])('[S534] a popup with a real provider signs in and signs in again, with %s', async (_how, how) => {
  const app = await openApp(how);
  const name = crypto.randomUUID();
  await signInAtProvider(await app.openPopup('signInWithPopup'), name);
  const first = await app.result('signInWithPopup');
  expect(first).toMatchObject({ error: null, isNewUser: true, operation: 'signIn', hasCredential: true });
  expect(first).toMatchObject({ email: `${name}@example.com`, providers: [PROVIDER_ID], profileId: name });
  const popup = await app.openPopup('reauthenticateWithPopup');
  expect(await app.result('reauthenticateWithPopup')).toMatchObject({ error: null, uid: first.uid });
  expect(popup.isClosed()).toBe(true);
  expect(app.foreignRequests).toEqual([]);
});

test.each([
  ["the package's resolver", { hasShim: false }],
  ["the SDK's own resolver and the script of the server", { usesStockResolver: true }],
])('[S538] a popup of a tenant signs in to the tenant, with %s', async (_how, how) => {
  const { name } = await serving.admin('POST', '/v2/projects/shop/tenants', { displayName: 'Acme' });
  const tenantId = String(name).split('/').at(-1) ?? '';
  await serving.admin(
    'POST',
    `/v2/projects/shop/tenants/${tenantId}/oauthIdpConfigs?oauthIdpConfigId=oidc.work`,
    providerConfig(provider.issuer),
  );
  const app = await openApp({ ...how, tenantId });
  const user = crypto.randomUUID();
  await signInAtProvider(await app.openPopup('signInWithPopup'), user);
  const first = await app.result('signInWithPopup');
  expect(first).toMatchObject({ error: null, email: `${user}@example.com`, isNewUser: true });
  const auth = serving.openAuth(
    await serving.createKey('shop', `backend-${tenantId.slice(-8)}`, ['identity.admin']),
  );
  expect(
    (
      await auth
        .tenantManager()
        .authForTenant(tenantId)
        .getUser(first.uid ?? '')
    ).tenantId,
  ).toBe(tenantId);
  await expect(auth.getUser(first.uid ?? '')).rejects.toMatchObject({ code: 'auth/user-not-found' });
});

test('[S535] a user who cancels at the provider is auth/user-cancelled', async () => {
  const app = await openApp({ hasShim: false });
  const popup = await app.openPopup('signInWithPopup');
  await popup.getByRole('link', { name: 'Cancel' }).click();
  expect(await app.result('signInWithPopup')).toMatchObject({ error: 'auth/user-cancelled', uid: null });
});

test('[S536] with the compat build and the scripts of the server, a redirect and a popup with a real provider sign in', async () => {
  const app = await openApp({ by: 'init.js', certificate: makeCertificate('localhost') });
  const name = crypto.randomUUID();
  await app.start('signInWithRedirect');
  await signInAtProvider(app.page, name);
  const first = await app.result('load');
  expect(first).toMatchObject({ error: null, email: `${name}@example.com`, operation: 'signIn' });
  await app.page.reload();
  expect(await app.result('load')).toMatchObject({ error: null, uid: first.uid, operation: null });
  await app.openPopup('reauthenticateWithPopup');
  expect(await app.result('reauthenticateWithPopup')).toMatchObject({ error: null, uid: first.uid });
  expect(app.foreignRequests).toEqual([]);
});

test('[S537] a popup that the user closes at the provider ends the sign-in, and the next one works', async () => {
  const app = await openApp({ hasShim: false });
  const name = crypto.randomUUID();
  const popup = await app.openPopup('signInWithPopup');
  await popup.locator('input[name=login]').waitFor();
  await popup.close();
  expect(await app.result('signInWithPopup')).toMatchObject({
    error: 'auth/popup-closed-by-user',
    uid: null,
  });
  await signInAtProvider(await app.openPopup('signInWithPopup'), name);
  expect(await app.result('signInWithPopup')).toMatchObject({ error: null, email: `${name}@example.com` });
});
