import { createUserWithEmailAndPassword } from 'firebase/auth';
import type { Browser, Page } from 'playwright';
import { expect, inject, test } from 'vitest';
import { accountUrl, button, heading, openAccount } from '../drivers/account-page.ts';
import { freshEmail, openAuth, PASSWORD, requestAsAdmin } from '../drivers/auth.ts';
import { openWatchedPage, useBrowser } from '../drivers/browser.ts';
import { PopupApp } from '../drivers/popup-app.ts';

const SLOW = { timeout: 60_000 };

let browser: Browser;

useBrowser((opened) => {
  browser = opened;
});

const serverUrl = () => inject('serverUrl').replace('127.0.0.1', 'localhost');

/** Signs in at the provider. The development server shows a page in place of the provider. */
async function signInAtProvider(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address (optional)').fill(email, SLOW);
  await button(page, 'Sign in as a new user').click();
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email, SLOW);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button(page, 'Sign in').click();
}

/** Creates an account in a new tenant that uses Facebook, which does not prove addresses. */
async function openTenant() {
  const tenantId = `hosted-${crypto.randomUUID().slice(0, 8)}`;
  await requestAsAdmin(
    inject('serverUrl'),
    'POST',
    `/v2/projects/demo/tenants/${tenantId}/defaultSupportedIdpConfigs?idpId=facebook.com`,
    { enabled: true, clientId: 'app', clientSecret: 'secret' },
  );
  const auth = openAuth();
  auth.tenantId = tenantId;
  const email = freshEmail();
  await createUserWithEmailAndPassword(auth, email, PASSWORD);
  return { tenantId, email };
}

test('[S650] a user cancels a sign-in with another provider on the hosted page, and then completes one', async () => {
  const context = await browser.newContext({ locale: 'en-US' });
  const app = await PopupApp.open(context, { serverUrl: serverUrl(), by: 'hearthAuth', hasShim: false });
  const { page } = app;
  const email = freshEmail();
  await app.start('startHostedSignIn');
  await button(page, 'Continue with Google').click(SLOW);
  await button(page, 'Cancel').click(SLOW);
  await page.getByRole('alert').filter({ hasText: 'canceled' }).waitFor(SLOW);
  await button(page, 'Continue with Google').click();
  await signInAtProvider(page, email);
  expect(await app.result('load')).toMatchObject({ error: null, email, providers: ['google.com'] });
  expect(app.foreignRequests).toEqual([]);
});

test('[S650] a user signs in with another provider in the popup of the hosted page', async () => {
  const context = await browser.newContext({ locale: 'en-US' });
  const app = await PopupApp.open(context, { serverUrl: serverUrl(), by: 'hearthAuth', hasShim: false });
  const email = freshEmail();
  const popup = await app.openPopup('signInWithHostedPopup');
  await button(popup, 'Continue with Google').click(SLOW);
  await signInAtProvider(popup, email);
  expect(await app.result('signInWithHostedPopup')).toMatchObject({ error: null, email });
});

test('[S651] a user links another provider on the account page of a tenant, and unlinks it', async () => {
  const { tenantId, email } = await openTenant();
  const { page, complaints } = await openAccount(browser, email, { tid: tenantId });
  await heading(page, 'Your account').waitFor(SLOW);
  await button(page, 'Link Facebook').click();
  await button(page, 'Continue with Facebook').click(SLOW);
  await signInAtProvider(page, freshEmail());
  await page.getByText('Added.').waitFor(SLOW);
  await button(page, 'Remove: Facebook').click();
  await button(page, 'Unlink account').click(SLOW);
  await button(page, 'Link Facebook').waitFor(SLOW);
  expect(complaints).toEqual([]);
});

test('[S652] an identity whose address has an account is linked after a sign-in to that account', async () => {
  const { tenantId, email } = await openTenant();
  const { page, complaints } = await openAccount(browser, email, { tid: tenantId });
  await heading(page, 'Your account').waitFor(SLOW);
  await button(page, 'Sign out').click();
  await heading(page, 'You are signed out').waitFor(SLOW);
  await page.reload();
  // The page of the development server claims verified addresses, unlike this provider.
  await page.route('**/v1/accounts:signInWithIdp*', async (route) => {
    const postData = route
      .request()
      .postData()
      ?.replace('email_verified%22%3Atrue', 'email_verified%22%3Afalse');
    await route.continue({ postData });
  });
  await button(page, 'Continue with Facebook').click(SLOW);
  await signInAtProvider(page, email);
  await page.getByRole('alert').filter({ hasText: 'Another account has this email address' }).waitFor(SLOW);
  await signIn(page, email);
  await button(page, 'Remove: Facebook').waitFor(SLOW);
  expect(complaints).toEqual([]);
});

test('[S653] the page ignores an answer of a provider to a request that the page did not send', async () => {
  const hosted = accountUrl();
  const forged = new URLSearchParams({
    apiKey: 'any',
    appName: 'hearth-hosted',
    authType: 'signInViaRedirect',
    redirectUrl: hosted,
    eventId: 'guessed',
    providerId: 'google.com',
  });
  const { page } = await openWatchedPage(browser, `${serverUrl()}/__/auth/handler?${forged}`);
  await signInAtProvider(page, freshEmail());
  await page.waitForURL(hosted);
  await heading(page, 'Sign in to demo').waitFor(SLOW);
  expect(await page.getByRole('alert').first().textContent()).toBe('');
});

test('[S654] a user of a tenant signs in on the hosted page, and the app has the session of the tenant', async () => {
  const { tenantId, email } = await openTenant();
  const context = await browser.newContext({ locale: 'en-US' });
  const app = await PopupApp.open(context, {
    serverUrl: serverUrl(),
    by: 'hearthAuth',
    hasShim: false,
    tenantId,
  });
  await app.start('startHostedSignIn');
  await signIn(app.page, email);
  expect(await app.result('load')).toMatchObject({ error: null, email, providers: ['password'] });
  // The same address has no account outside the tenant.
  await app.page.goto(accountUrl());
  await signIn(app.page, email);
  await app.page.getByRole('alert').filter({ hasText: 'is wrong' }).waitFor(SLOW);
});
