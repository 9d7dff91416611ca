import {
  createUserWithEmailAndPassword,
  signInAnonymously,
  signInWithEmailAndPassword,
  updateCurrentUser,
  updatePassword,
} from 'firebase/auth';
import { describe, expect, test } from 'vitest';
import { AUTH_METHODS, changeAccount, freshEmail, openAuth, PASSWORD } from '../drivers/auth.ts';

const ROUNDS = 5;

describe.each(AUTH_METHODS)('Several sessions of a user, with %s', (by) => {
  test('[S364] a user who changes the password stays signed in, and is signed out everywhere else', async () => {
    const [here, there] = [openAuth({ by }), openAuth({ by })];
    const email = freshEmail();
    const { user } = await createUserWithEmailAndPassword(here, email, PASSWORD);
    const elsewhere = await signInWithEmailAndPassword(there, email, PASSWORD);
    await updatePassword(user, 'another password');
    await user.getIdToken(true);
    await user.reload();
    expect(here.currentUser?.uid).toBe(user.uid);
    await expect(elsewhere.user.getIdToken(true)).rejects.toMatchObject({ code: 'auth/user-token-expired' });
    expect(there.currentUser).toBeNull();
    await signInWithEmailAndPassword(there, email, 'another password');
  });

  test('[S365] tabs that refresh one session at the same time all stay signed in', async () => {
    const tabs = [openAuth({ by }), openAuth({ by }), openAuth({ by })];
    const { user } = await signInAnonymously(openAuth({ by }));
    for (const tab of tabs) await updateCurrentUser(tab, user);
    for (let round = 0; round < ROUNDS; round += 1) {
      const tokens = await Promise.all(tabs.map((tab) => tab.currentUser?.getIdToken(true)));
      expect(tokens).toEqual(tabs.map(() => expect.any(String)));
    }
    for (const tab of tabs) await tab.currentUser?.reload();
  });

  test('[S365] a tab that has slept while another tab refreshed the session stays signed in', async () => {
    const [awake, asleep] = [openAuth({ by }), openAuth({ by })];
    const { user } = await signInAnonymously(awake);
    await updateCurrentUser(asleep, user);
    for (let round = 0; round < ROUNDS; round += 1) await user.getIdToken(true);
    await asleep.currentUser?.getIdToken(true);
    await user.getIdToken(true);
    expect([awake, asleep].map(({ currentUser }) => currentUser?.uid)).toEqual([user.uid, user.uid]);
  });

  test.each([
    ['account is disabled', { disableUser: true }, 'auth/user-disabled'],
    ['tokens are revoked', { validSince: String(Math.floor(Date.now() / 1_000)) }, 'auth/user-token-expired'],
  ])("[S366] a user whose %s is signed out at the app's next request", async (_what, change, code) => {
    const [reloading, refreshing] = [openAuth({ by }), openAuth({ by })];
    const { user } = await signInAnonymously(reloading);
    await updateCurrentUser(refreshing, user);
    await changeAccount(user.uid, change);
    await expect(user.reload()).rejects.toMatchObject({ code });
    await expect(refreshing.currentUser?.getIdToken(true)).rejects.toMatchObject({ code });
    expect([reloading.currentUser, refreshing.currentUser]).toEqual([null, null]);
  });
});
