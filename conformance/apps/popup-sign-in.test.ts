import type { Browser } from 'playwright';
import { expect, inject, test } from 'vitest';
import { freshEmail } from '../drivers/auth.ts';
import { useBrowser } from '../drivers/browser.ts';
import { inventUser, PopupApp, type PopupAppOptions } from '../drivers/popup-app.ts';

let browser: Browser;

useBrowser((opened) => {
  browser = opened;
});

/** Opens an app in its own browser. The host names of app and server belong to one site. */
async function openApp(change: Partial<PopupAppOptions> = {}): Promise<PopupApp> {
  const serverUrl = inject('serverUrl').replace('127.0.0.1', 'localhost');
  return PopupApp.open(await browser.newContext(), { serverUrl, ...change });
}

test('[S530][S531] in development mode, an unmodified app signs in, links and signs in again with a popup', async () => {
  const app = await openApp();
  const email = freshEmail();
  const anonymous = await app.run('signInAnonymously');
  await inventUser(await app.openPopup('linkWithPopup'), email);
  const linked = await app.result('linkWithPopup');
  expect(linked).toMatchObject({
    error: null,
    uid: anonymous.uid,
    providers: ['google.com'],
    operation: 'link',
  });
  await app.run('signOut');
  const popup = await app.openPopup('signInWithPopup');
  await popup.getByRole('button', { name: email }).click();
  const again = await app.result('signInWithPopup');
  expect(again).toMatchObject({ error: null, uid: anonymous.uid, isNewUser: false, hasCredential: true });
  expect(again.profileId).toBe(linked.profileId);
  await (await app.openPopup('reauthenticateWithPopup')).getByRole('button', { name: email }).click();
  expect(await app.result('reauthenticateWithPopup')).toMatchObject({ error: null, uid: anonymous.uid });
  expect(app.foreignRequests).toEqual([]);
});

test('[S530][S532] in development mode, an unmodified app signs in and links with a redirect', async () => {
  const app = await openApp();
  const email = freshEmail();
  expect(await app.result('load')).toMatchObject({ error: null, uid: null, operation: null });
  await app.start('signInWithRedirect');
  await inventUser(app.page, email);
  const signedIn = await app.result('load');
  expect(signedIn).toMatchObject({ error: null, email, isNewUser: true, operation: 'signIn' });
  await app.page.reload();
  expect(await app.result('load')).toMatchObject({ error: null, uid: signedIn.uid, operation: null });
  await app.start('reauthenticateWithRedirect');
  await app.page.getByRole('button', { name: email }).click();
  expect(await app.result('load')).toMatchObject({
    error: null,
    uid: signedIn.uid,
    operation: 'reauthenticate',
  });
  expect(app.foreignRequests).toEqual([]);
});

test('[S532] in development mode, an app with the package of Hearth on another site links and signs in again with a redirect', async () => {
  const app = await openApp({ by: 'hearthAuth', hasShim: false, host: '127.0.0.1' });
  const email = freshEmail();
  const { uid } = await app.run('signInAnonymously');
  await app.start('linkWithRedirect');
  await inventUser(app.page, email);
  expect(await app.result('load')).toMatchObject({
    error: null,
    uid,
    providers: ['google.com'],
    operation: 'link',
  });
  expect(new URL(app.page.url()).hash).toBe('');
  await app.page.reload();
  expect(await app.result('load')).toMatchObject({ error: null, uid, operation: null });
  await app.start('reauthenticateWithRedirect');
  await app.page.getByRole('button', { name: 'Cancel' }).click();
  expect(await app.result('load')).toMatchObject({ error: 'auth/user-cancelled', uid });
  expect(app.foreignRequests).toEqual([]);
});

test('[S533] a user who cancels, and one who signs in again as another user, get the errors of the SDK', async () => {
  const app = await openApp();
  await (await app.openPopup('signInWithPopup')).getByRole('button', { name: 'Cancel' }).click();
  expect(await app.result('signInWithPopup')).toMatchObject({ error: 'auth/user-cancelled', uid: null });
  await inventUser(await app.openPopup('signInWithPopup'), freshEmail());
  const { uid } = await app.result('signInWithPopup');
  await inventUser(await app.openPopup('reauthenticateWithPopup'), freshEmail());
  expect(await app.result('reauthenticateWithPopup')).toMatchObject({ error: 'auth/user-mismatch', uid });
});
