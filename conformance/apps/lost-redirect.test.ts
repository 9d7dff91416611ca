import type { Browser } from 'playwright';
import { expect, inject, test } from 'vitest';
import { freshEmail } from '../drivers/auth.ts';
import { useBrowser } from '../drivers/browser.ts';
import { inventUser, PopupApp } from '../drivers/popup-app.ts';

const RESULT = '**/__/auth/redirect-result*';

let browser: Browser;

useBrowser((opened) => {
  browser = opened;
});

/** Opens an app with Hearth's package on another site than the server. */
async function openApp(): Promise<PopupApp> {
  const serverUrl = inject('serverUrl').replace('127.0.0.1', 'localhost');
  const own = { by: 'hearthAuth', hasShim: false, host: '127.0.0.1' } as const;
  return PopupApp.open(await browser.newContext(), { serverUrl, ...own });
}

test('[S957] if the request for the result of a redirect fails, it is repeated, and the user is signed in', async () => {
  const app = await openApp();
  const email = freshEmail();
  await app.page.route(RESULT, (route) => route.abort(), { times: 1 });
  await app.start('signInWithRedirect');
  await inventUser(app.page, email);
  expect(await app.result('load')).toMatchObject({ error: null, email, operation: 'signIn' });
});

test('[S957] if the server does not answer, the page removes the code from the address but keeps it, and signs the user in when it is loaded again', async () => {
  const app = await openApp();
  const email = freshEmail();
  await app.page.route(RESULT, (route) => route.abort());
  await app.start('signInWithRedirect');
  const failed = app.page.waitForEvent('requestfailed', (request) =>
    request.url().includes('redirect-result'),
  );
  await inventUser(app.page, email);
  await failed;
  expect(new URL(app.page.url()).hash).toBe('');
  await app.page.unroute(RESULT);
  await app.page.reload();
  expect(await app.result('load')).toMatchObject({ error: null, email, operation: 'signIn' });
  await app.page.reload();
  expect(await app.result('load')).toMatchObject({ error: null, email, operation: null });
});
