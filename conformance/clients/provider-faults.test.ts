import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../drivers/browser.ts';
import { type LyingProvider, openLyingProvider, type ProviderFault } from '../drivers/lying-provider.ts';
import { PopupApp } from '../drivers/popup-app.ts';
import { addProvider, PROVIDER_ID } from './oidc-provider.ts';
import { openServing, type Serving } from './serving.ts';

const USER = 'ann';
let serving: Serving;
let provider: LyingProvider;
let browser: Browser;
let apiKey: string;

beforeAll(async () => {
  [serving, browser, provider] = await Promise.all([
    openServing(['--allow-private-providers']),
    openBrowser(),
    openLyingProvider(USER),
  ]);
  apiKey = await serving.createProject('shop');
  await addProvider(serving, provider.issuer);
});

afterAll(async () => {
  await browser.close();
  provider.close();
  await serving.close();
});

/** How an app finds the server: with the package of the server, or with the SDK's own resolver. */
const RESOLVERS = [{ hasShim: false }, { usesStockResolver: true }] as const;

async function openApp(resolver: (typeof RESOLVERS)[number]): Promise<PopupApp> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  return PopupApp.open(context, {
    serverUrl: serving.url,
    providerId: PROVIDER_ID,
    apiKey,
    by: 'hearthAuth',
    providerUrl: provider.issuer,
    ...resolver,
  });
}

/** Returns how sign-ins with the provider ended according to the audit log, the latest first. */
async function readFailures(): Promise<readonly string[]> {
  const { entries } = await serving.admin(
    'GET',
    '/api/projects/shop/audit?event=provider_flow_failed&limit=50',
  );
  return (entries as readonly { readonly detail: string }[]).map(({ detail }) => detail);
}

async function countAccounts(): Promise<unknown> {
  const { recordsCount } = await serving.admin('POST', '/v1/projects/shop/accounts:query', {
    returnUserInfo: false,
  });
  return recordsCount;
}

/**
 * Expects that the app waits until the user closes the popup, that it then gets an error, and that the next popup signs
 * the user in.
 */
async function expectRecovery(app: PopupApp, popup: Page): Promise<void> {
  expect(await app.page.locator('output').textContent()).toBe('');
  await popup.close();
  expect(await app.result('signInWithPopup')).toMatchObject({
    error: 'auth/popup-closed-by-user',
    uid: null,
  });
  await expectSignIn(app);
}

async function expectSignIn(app: PopupApp): Promise<void> {
  provider.fault = undefined;
  await app.openPopup('signInWithPopup');
  expect(await app.result('signInWithPopup')).toMatchObject({ error: null, email: `${USER}@example.com` });
}

/** The faults of a provider, and the reason in the audit log. */
const FAULTS: readonly (readonly [ProviderFault, RegExp])[] = [
  ['another provider', /iss/],
  ['another issuer', /iss/],
  ['another app', /aud/],
  ['another key', /signature/],
  ['another nonce', /nonce/],
  ['no nonce', /nonce/],
  ['late clock', /exp/],
  ['early clock', /iat|future|time/],
  ['no token', /./],
];

test.each(FAULTS)(
  '[S966] if the provider answers with %s, the popup says so, the app gets nothing, and the next popup works',
  async (fault, reason) => {
    const app = await openApp(RESOLVERS[0]);
    const [before, accounts] = [await readFailures(), await countAccounts()];
    provider.fault = fault;
    const popup = await app.openPopup('signInWithPopup');
    await popup.getByRole('heading', { name: 'The provider did not confirm the sign-in' }).waitFor();
    const failures = await readFailures();
    expect(failures).toHaveLength(before.length + 1);
    expect(failures[0]).toMatch(reason);
    expect(await countAccounts()).toBe(accounts);
    await expectRecovery(app, popup);
  },
);

test.each(RESOLVERS)('[S966] a response with another state ends in a page, with %j', async (resolver) => {
  const app = await openApp(resolver);
  provider.fault = 'another state';
  const popup = await app.openPopup('signInWithPopup');
  await popup.getByRole('heading').waitFor();
  await expectRecovery(app, popup);
});

/** Moments at which a user closes the popup. */
const MOMENTS: readonly (readonly [string, ProviderFault, (popup: Page) => Promise<void>])[] = [
  ['while the page of the provider does not end', 'no page', async () => undefined],
  [
    'while the server waits for the provider',
    'slow token',
    async (popup) => {
      const asked = provider.untilTokenRequest();
      await popup.getByRole('link').click({ noWaitAfter: true });
      await asked;
    },
  ],
];

test.each(RESOLVERS.flatMap((resolver) => MOMENTS.map((moment) => [resolver, ...moment] as const)))(
  '[S967] with %j, the user can sign in again after a popup was closed %s',
  async (resolver, _when, fault, wait) => {
    const app = await openApp(resolver);
    provider.fault = fault;
    const popup = await app.openPopup('signInWithPopup');
    await wait(popup);
    await expectRecovery(app, popup);
    // Both sign-ins created or found the same account.
    expect(Number(await countAccounts())).toBeLessThanOrEqual(1);
  },
);

test.each(RESOLVERS)(
  '[S967] with %j, a popup that is closed before it has loaded is an error of the SDK',
  async (resolver) => {
    const app = await openApp(resolver);
    await app.evaluate(`const { open } = window;
    window.open = (...values) => {
      const popup = open.apply(window, values);
      window.open = open;
      setTimeout(() => popup.close());
      return popup;
    };`);
    const result = await app.run('signInWithPopup');
    expect(result).toMatchObject({ error: 'auth/popup-closed-by-user', uid: null });
    await expectSignIn(app);
  },
);

test.each(RESOLVERS)(
  '[S968] with %j, popups of two tabs at the same time end each in its own tab',
  async (resolver) => {
    const first = await openApp(resolver);
    const second = await first.openTab();
    provider.fault = 'slow token';
    const popups = [await first.openPopup('signInWithPopup'), await second.openPopup('signInWithPopup')];
    for (const popup of popups) await popup.getByRole('link').click({ noWaitAfter: true });
    for (const app of [second, first])
      expect(await app.result('signInWithPopup')).toMatchObject({ error: null, profileId: USER });
    expect(popups.every((popup) => popup.isClosed())).toBe(true);
  },
);
