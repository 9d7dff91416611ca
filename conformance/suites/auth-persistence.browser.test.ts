import { describe, expect, test } from 'vitest';
import { freshEmail, PASSWORD } from '../drivers/auth.ts';
import { type AuthTabOptions, findPersistedUser, openAuthTab } from '../drivers/auth-tab.ts';
import { until } from '../drivers/until.ts';

describe('A user in a browser', () => {
  test('[S359] is stored in IndexedDB, and restored when the page is loaded again', async () => {
    const appName = crypto.randomUUID();
    const first = await openAuthTab({ appName });
    expect(first.auth.currentUser).toBeNull();
    const { user } = await first.sdk.signInAnonymously(first.auth);
    expect(await findPersistedUser(appName)).toEqual(['indexedDB']);
    const second = await first.reload();
    expect(second.auth.currentUser).toMatchObject({ uid: user.uid, isAnonymous: true });
    expect((await second.sdk.signInAnonymously(second.auth)).user.uid).toBe(user.uid);
    const third = await second.reload();
    expect(third.auth.currentUser?.uid).toBe(user.uid);
    await third.auth.currentUser?.getIdToken(true);
    expect((await third.reload()).auth.currentUser?.uid).toBe(user.uid);
  });

  test('[S359] after a reload, is the user who signed in last; after a sign-out, there is none', async () => {
    const tab = await openAuthTab({ appName: crypto.randomUUID() });
    await tab.sdk.signInAnonymously(tab.auth);
    const email = freshEmail();
    const { user } = await tab.sdk.createUserWithEmailAndPassword(tab.auth, email, PASSWORD);
    const again = await tab.reload();
    expect(again.auth.currentUser).toMatchObject({ uid: user.uid, email });
    await again.auth.signOut();
    const last = await again.reload();
    expect(last.auth.currentUser).toBeNull();
    await last.sdk.signInWithEmailAndPassword(last.auth, email, PASSWORD);
    expect((await last.reload()).auth.currentUser?.uid).toBe(user.uid);
  });

  test.each<readonly [NonNullable<AuthTabOptions['missing']>, readonly string[]]>([
    [['localStorage'], ['indexedDB']],
    [['indexedDB'], ['localStorage']],
    [['indexedDB', 'localStorage'], ['sessionStorage']],
  ])('[S360] is stored in the best remaining store by a browser without %j', async (missing, stores) => {
    const appName = crypto.randomUUID();
    const tab = await openAuthTab({ appName, missing });
    const { user } = await tab.sdk.signInAnonymously(tab.auth);
    expect(await findPersistedUser(appName)).toEqual(stores);
    expect((await tab.reload()).auth.currentUser?.uid).toBe(user.uid);
  });

  test.each(['rejects writes', 'does not open'] as const)(
    '[S360] is stored in localStorage by a browser whose IndexedDB %s',
    async (damage) => {
      const appName = crypto.randomUUID();
      const tab = await openAuthTab({ appName, damage });
      const { user } = await tab.sdk.signInAnonymously(tab.auth);
      expect(await findPersistedUser(appName)).toEqual(['localStorage']);
      expect((await tab.reload()).auth.currentUser?.uid).toBe(user.uid);
    },
  );

  test('[S360] stays signed in when IndexedDB begins to reject writes', async () => {
    const appName = crypto.randomUUID();
    const before = await openAuthTab({ appName });
    const { user } = await before.sdk.signInAnonymously(before.auth);
    const after = await openAuthTab({ appName, damage: 'rejects writes' });
    expect(after.auth.currentUser?.uid).toBe(user.uid);
    await after.auth.currentUser?.getIdToken(true);
    expect(await findPersistedUser(appName)).toContain('localStorage');
    expect((await after.reload()).auth.currentUser?.uid).toBe(user.uid);
  });

  test('[S360] stays signed in only until the page is loaded again if the browser has no store', async () => {
    const appName = crypto.randomUUID();
    const tab = await openAuthTab({ appName, missing: ['indexedDB', 'localStorage', 'sessionStorage'] });
    const { user } = await tab.sdk.signInAnonymously(tab.auth);
    await user.getIdToken(true);
    expect(tab.auth.currentUser?.uid).toBe(user.uid);
    expect(await findPersistedUser(appName)).toEqual([]);
    expect((await tab.reload()).auth.currentUser).toBeNull();
  });

  test('[S361] moves to the store that the app selects, and is stored nowhere else', async () => {
    const appName = crypto.randomUUID();
    const tab = await openAuthTab({ appName });
    const { user } = await tab.sdk.signInAnonymously(tab.auth);
    for (const store of ['sessionStorage', 'localStorage', 'indexedDB'] as const) {
      await tab.moveTo(store);
      expect(await findPersistedUser(appName)).toEqual([store]);
      expect(tab.auth.currentUser?.uid).toBe(user.uid);
    }
    await tab.moveTo('memory');
    expect(await findPersistedUser(appName)).toEqual([]);
    await user.getIdToken(true);
    expect((await tab.reload()).auth.currentUser).toBeNull();
  });

  test.each([
    ['indexedDB', 'localStorage'],
    ['localStorage', 'indexedDB'],
    ['sessionStorage', 'indexedDB'],
    ['indexedDB', 'sessionStorage'],
  ] as const)('[S361] is found in %s by an app that prefers %s', async (store, preferred) => {
    const appName = crypto.randomUUID();
    const before = await openAuthTab({ appName, stores: [store] });
    const { user } = await before.sdk.signInAnonymously(before.auth);
    expect(await findPersistedUser(appName)).toEqual([store]);
    const after = await openAuthTab({ appName, stores: [preferred, store] });
    expect(after.auth.currentUser?.uid).toBe(user.uid);
    await after.auth.currentUser?.getIdToken(true);
    expect((await after.reload()).auth.currentUser?.uid).toBe(user.uid);
  });

  test.each(['indexedDB', 'localStorage'] as const)(
    '[S362] is the same in all tabs of an app that keeps its user in %s',
    async (store) => {
      const appName = crypto.randomUUID();
      const one = await openAuthTab({ appName, stores: [store] });
      const other = await openAuthTab({ appName, stores: [store] });
      const { user } = await one.sdk.signInAnonymously(one.auth);
      await until(() => expect(other.auth.currentUser?.uid).toBe(user.uid));
      const named = await other.sdk.createUserWithEmailAndPassword(other.auth, freshEmail(), PASSWORD);
      await until(() => expect(one.auth.currentUser?.uid).toBe(named.user.uid));
      await one.auth.signOut();
      const expected = [null, user.uid, named.user.uid, null];
      await until(() => expect([one.received, other.received]).toEqual([expected, expected]));
    },
  );

  test('[S362] is the same in all tabs, even if one of them blocks sign-ins', async () => {
    const appName = crypto.randomUUID();
    const one = await openAuthTab({ appName });
    const other = await openAuthTab({ appName });
    other.sdk.beforeAuthStateChanged(other.auth, () => {
      throw new Error('not here');
    });
    const { user } = await one.sdk.signInAnonymously(one.auth);
    await until(() => expect(other.auth.currentUser?.uid).toBe(user.uid));
  });

  test('[S365] stays signed in when all tabs refresh their common session at the same time', async () => {
    const appName = crypto.randomUUID();
    const one = await openAuthTab({ appName });
    const { user } = await one.sdk.signInAnonymously(one.auth);
    const tabs = [one, await openAuthTab({ appName }), await openAuthTab({ appName })];
    for (let round = 0; round < 3; round += 1) {
      const tokens = await Promise.all(tabs.map(({ auth }) => auth.currentUser?.getIdToken(true)));
      expect(tokens).toEqual(tabs.map(() => expect.any(String)));
    }
    const late = await openAuthTab({ appName });
    await late.auth.currentUser?.getIdToken(true);
    expect([...tabs, late].map(({ auth }) => auth.currentUser?.uid)).toEqual(Array(4).fill(user.uid));
  });

  test('[S362] belongs to one tab only if the app keeps its user in memory', async () => {
    const appName = crypto.randomUUID();
    const one = await openAuthTab({ appName, stores: ['memory'] });
    await one.sdk.signInAnonymously(one.auth);
    const other = await openAuthTab({ appName, stores: ['memory'] });
    expect(other.auth.currentUser).toBeNull();
  });
});
