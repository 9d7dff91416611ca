import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../drivers/browser.ts';
import { PopupApp, type PopupAppOptions } from '../drivers/popup-app.ts';
import { openSamlServer, type SamlServer, signInWithSaml } from '../drivers/saml-server.ts';
import { makeCertificate } from './own-certificate.ts';
import { openServing, type Serving } from './serving.ts';

const SERVICE = 'https://shop.example/saml';

let serving: Serving;
let provider: SamlServer;
let browser: Browser;
let apiKey: string;

beforeAll(async () => {
  [serving, browser] = await Promise.all([openServing(), openBrowser()]);
  const callbackUrl = `${serving.url}/__/auth/handler`;
  const key = makeCertificate('127.0.0.1', 'rsa');
  provider = await openSamlServer(key, { entityId: SERVICE, callbackUrl });
  apiKey = await serving.createProject('shop');
  await serving.admin('PATCH', '/v2/projects/shop/config?updateMask=authorizedDomains', {
    authorizedDomains: ['localhost'],
  });
  const auth = serving.openAuth(await serving.createKey('shop', 'backend', ['identity.configAdmin']));
  await auth.createProviderConfig({
    providerId: 'saml.work',
    displayName: 'Work',
    enabled: true,
    idpEntityId: provider.entityId,
    ssoURL: provider.ssoUrl,
    x509Certificates: [key.cert],
    rpEntityId: SERVICE,
    callbackURL: callbackUrl,
  });
});

afterAll(async () => {
  await browser?.close();
  provider?.close();
  await serving?.close();
});

async function openApp(change: Partial<PopupAppOptions> = {}): Promise<PopupApp> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const options = {
    serverUrl: serving.url,
    providerId: 'saml.work',
    apiKey,
    by: 'hearthAuth',
    providerUrl: provider.ssoUrl,
  } as const;
  return PopupApp.open(context, { ...options, ...change });
}

test.each([
  ["the package's resolver", { hasShim: false }],
  ["the SDK's own resolver and the script of the server", { usesStockResolver: true }],
])('[S950] a popup with a real SAML provider signs in and signs in again, with %s', async (_how, how) => {
  const app = await openApp(how);
  const name = crypto.randomUUID();
  await signInWithSaml(await app.openPopup('signInWithPopup'), name);
  const first = await app.result('signInWithPopup');
  expect(first).toMatchObject({ error: null, isNewUser: true, operation: 'signIn', hasCredential: true });
  expect(first).toMatchObject({ email: `${name}@example.com`, providers: ['saml.work'] });
  await signInWithSaml(await app.openPopup('reauthenticateWithPopup'), name);
  expect(await app.result('reauthenticateWithPopup')).toMatchObject({ error: null, uid: first.uid });
  expect(app.foreignRequests).toEqual([]);
});

test('[S951] with the compat build and the scripts of the server, a redirect to a real SAML provider signs in', async () => {
  const app = await openApp({ by: 'init.js', certificate: makeCertificate('localhost') });
  const name = crypto.randomUUID();
  await app.start('signInWithRedirect');
  await signInWithSaml(app.page, name);
  const first = await app.result('load');
  expect(first).toMatchObject({ error: null, email: `${name}@example.com`, operation: 'signIn' });
});
