import { deleteApp, type FirebaseApp, initializeApp } from 'firebase/app';
import { getAuth, initializeAuth, inMemoryPersistence } from 'firebase/auth';
import { expect, onTestFinished, test } from 'vitest';
import { hearthAuth } from './auth.ts';

const URL = 'https://hearth.example.com';

function openApp(): FirebaseApp {
  const options = { apiKey: 'any', projectId: 'demo', authDomain: 'demo.example.net' };
  const app = initializeApp(options, crypto.randomUUID());
  onTestFinished(() => deleteApp(app));
  return app;
}

test('[I191] hearthAuth points the installed SDK at the server before it returns', () => {
  const app = openApp();
  const auth = hearthAuth(app, URL);
  expect(auth.config).toMatchObject({
    apiScheme: 'https',
    apiHost: 'hearth.example.com',
    tokenApiHost: 'hearth.example.com',
    authDomain: 'hearth.example.com',
  });
  expect(getAuth(app)).toBe(auth);
});

test('[I191] hearthAuth accepts options: with persistence in memory, no user is signed in at first', async () => {
  const auth = hearthAuth(openApp(), URL, { persistence: inMemoryPersistence });
  await auth.authStateReady();
  expect(auth.currentUser).toBeNull();
});

test.each<readonly [string, (app: FirebaseApp) => unknown]>([
  ['getAuth', getAuth],
  ['initializeAuth', initializeAuth],
  ['hearthAuth', (app) => hearthAuth(app, URL)],
])('[I192] after %s, hearthAuth throws', (_name, make) => {
  const app = openApp();
  make(app);
  expect(() => hearthAuth(app, URL)).toThrow(expect.objectContaining({ code: 'auth/already-initialized' }));
});

test('[I190] a wrong address is rejected before an Auth is created', () => {
  const app = openApp();
  expect(() => hearthAuth(app, 'hearth.example.com')).toThrow('is not the address');
  expect(hearthAuth(app, URL).config.apiHost).toBe('hearth.example.com');
});
