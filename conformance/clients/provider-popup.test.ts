import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../drivers/console/keyboard-visitor.ts';
import { CLIENT, type OidcServer, openOidcServer, signInAtProvider } from '../drivers/oidc-server.ts';
import { PopupApp, type PopupAppOptions } from '../drivers/popup-app.ts';
import { openServing, type Serving } from './serving.ts';

let serving: Serving;
let provider: OidcServer;
let browser: Browser;
let apiKey: string;

beforeAll(async () => {
  [serving, browser] = await Promise.all([openServing(['--allow-private-providers']), openBrowser()]);
  provider = await openOidcServer(`${serving.url}/__/auth/handler`);
  apiKey = await serving.createProject('shop');
  await serving.admin('PATCH', '/v2/projects/shop/config?updateMask=authorizedDomains', {
    authorizedDomains: ['localhost'],
  });
  await serving.admin('POST', '/v2/projects/shop/oauthIdpConfigs?oauthIdpConfigId=oidc.work', {
    enabled: true,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    issuer: provider.issuer,
    responseType: { code: true },
  });
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
    providerId: 'oidc.work',
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
  expect(first).toMatchObject({ email: `${name}@example.com`, providers: ['oidc.work'], profileId: name });
  const popup = await app.openPopup('reauthenticateWithPopup');
  expect(await app.result('reauthenticateWithPopup')).toMatchObject({ error: null, uid: first.uid });
  expect(popup.isClosed()).toBe(true);
  expect(app.foreignRequests).toEqual([]);
});

test('[S535] a user who cancels at the provider is auth/user-cancelled', async () => {
  const app = await openApp({ hasShim: false });
  const popup = await app.openPopup('signInWithPopup');
  await popup.getByRole('link', { name: 'Cancel' }).click();
  expect(await app.result('signInWithPopup')).toMatchObject({ error: 'auth/user-cancelled', uid: null });
});
