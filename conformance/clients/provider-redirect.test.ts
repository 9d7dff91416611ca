import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM_LAUNCH } from '../../scripts/chromium.ts';
import { openFirefox } from '../drivers/console/test-bed.ts';
import { type OidcServer, openOidcServer, signInAtProvider } from '../drivers/oidc-server.ts';
import { PopupApp, type PopupAppOptions } from '../drivers/popup-app.ts';
import { addProvider, PROVIDER_ID } from './oidc-provider.ts';
import { makeCertificate } from './own-certificate.ts';
import { openServing, type Serving } from './serving.ts';

const PACKAGE = { by: 'hearthAuth', hasShim: false, host: '127.0.0.1' } as const;

/** Time for two tabs on a busy machine. Firefox takes longest. */
const SLOW = { timeout: 240_000 };

let serving: Serving;
let provider: OidcServer;
let apiKey: string;

beforeAll(async () => {
  serving = await openServing(['--allow-private-providers']);
  provider = await openOidcServer(`${serving.url}/__/auth/handler`);
  apiKey = await serving.createProject('shop', ['anonymous']);
  await addProvider(serving, provider.issuer, ['localhost', '127.0.0.1']);
});

afterAll(async () => {
  provider?.close();
  await serving?.close();
});

/** Browsers that separate the storage of frames and pages of other sites from that of windows of those sites. */
const BROWSERS: readonly [string, () => Promise<Browser>][] = [
  [
    'Chromium',
    () =>
      chromium.launch({
        ...CHROMIUM_LAUNCH,
        args: [
          ...CHROMIUM_LAUNCH.args.map((arg) => arg.replace('ThirdPartyStoragePartitioning,', '')),
          '--test-third-party-cookie-phaseout',
        ],
      }),
  ],
  // The value 1 rejects cookies and storage of other sites.
  ['Firefox', () => openFirefox({ 'network.cookie.cookieBehavior': 1 })],
];

describe.each(BROWSERS)('in %s without third-party storage', (browserName, launch) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  async function openApp(change: Partial<PopupAppOptions> = {}): Promise<PopupApp> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    const options = { serverUrl: serving.url, providerId: PROVIDER_ID, apiKey, providerUrl: provider.issuer };
    return PopupApp.open(context, { ...options, ...PACKAGE, ...change });
  }

  test('[S952] an app on another site signs in, and signs in again, with a redirect', async () => {
    const app = await openApp();
    const name = crypto.randomUUID();
    await app.start('signInWithRedirect');
    await signInAtProvider(app.page, name);
    const first = await app.result('load');
    expect(first).toMatchObject({ error: null, isNewUser: true, operation: 'signIn', hasCredential: true });
    expect(first).toMatchObject({ email: `${name}@example.com`, providers: [PROVIDER_ID], profileId: name });
    expect(new URL(app.page.url()).hash).toBe('');
    await app.page.reload();
    expect(await app.result('load')).toMatchObject({ error: null, uid: first.uid, operation: null });
    await app.start('reauthenticateWithRedirect');
    expect(await app.result('load')).toMatchObject({
      error: null,
      uid: first.uid,
      operation: 'reauthenticate',
    });
    expect(app.foreignRequests).toEqual([]);
  });

  test('[S953] a redirect links the provider to the user who began it, and an identity of another account is an error', async () => {
    const app = await openApp();
    const name = crypto.randomUUID();
    const { uid } = await app.run('signInAnonymously');
    await app.start('linkWithRedirect');
    await signInAtProvider(app.page, name);
    expect(await app.result('load')).toMatchObject({
      error: null,
      uid,
      providers: [PROVIDER_ID],
      operation: 'link',
    });
    await app.run('signOut');
    const other = await app.run('signInAnonymously');
    await app.start('linkWithRedirect');
    expect(await app.result('load')).toMatchObject({
      error: 'auth/credential-already-in-use',
      uid: other.uid,
      operation: null,
    });
  });

  test('[S954] a popup signs in on another site, and a user who cancels is an error of the SDK', async () => {
    const app = await openApp();
    const canceled = await app.openPopup('signInWithPopup');
    await canceled.getByRole('link', { name: 'Cancel' }).click();
    expect(await app.result('signInWithPopup')).toMatchObject({ error: 'auth/user-cancelled', uid: null });
    const name = crypto.randomUUID();
    await signInAtProvider(await app.openPopup('signInWithPopup'), name);
    expect(await app.result('signInWithPopup')).toMatchObject({
      error: null,
      email: `${name}@example.com`,
    });
    expect(app.foreignRequests).toEqual([]);
  });

  test('[S955] redirects of two tabs at the same time end each in its own tab', SLOW, async () => {
    const first = await openApp();
    const second = await first.openTab();
    const [ann, bob] = [crypto.randomUUID(), crypto.randomUUID()];
    await first.start('signInWithRedirect');
    await first.page.locator('input[name=login]').waitFor();
    await second.start('signInWithRedirect');
    await signInAtProvider(second.page, bob);
    expect(await second.result('load')).toMatchObject({ error: null, email: `${bob}@example.com` });
    await signInAtProvider(first.page, ann);
    expect(await first.result('load')).toMatchObject({ error: null, email: `${ann}@example.com` });
  });

  // In this test, Firefox does not load the app with its self-signed certificate.
  if (browserName === 'Chromium')
    test("[S956] with the SDK's own resolver, a redirect signs in to an app on the same site, and has no result on another site", async () => {
      const own = { by: 'init.js', hasShim: true } as const;
      const near = await openApp({ ...own, host: 'localhost', certificate: makeCertificate('localhost') });
      const user = crypto.randomUUID();
      await near.start('signInWithRedirect');
      await signInAtProvider(near.page, user);
      expect(await near.result('load')).toMatchObject({ error: null, email: `${user}@example.com` });
      const far = await openApp(own);
      await far.start('signInWithRedirect');
      await signInAtProvider(far.page, user);
      expect(await far.result('load')).toMatchObject({ error: null, uid: null, operation: null });
    });
});
