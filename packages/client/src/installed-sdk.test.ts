import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { deleteApp, initializeApp, SDK_VERSION } from 'firebase/app';
import { initializeAuth } from 'firebase/auth';
import { getDatabase } from 'firebase/database';
import { expect, onTestFinished, test } from 'vitest';
import { findPopupRedirectResolver } from './popup-redirect-resolver.ts';
import { hasService } from './sdk.ts';

/** Imports the build of the Auth SDK that bundlers use for pages. Node would get another one. */
async function importBrowserBuild(): Promise<Readonly<Record<string, unknown>>> {
  const ofFirebase = createRequire(createRequire(import.meta.url).resolve('firebase/package.json'));
  const manifest = ofFirebase.resolve('@firebase/auth/package.json');
  return import(join(dirname(manifest), ofFirebase(manifest).browser));
}

function openApp() {
  const app = initializeApp({ apiKey: 'any', projectId: 'demo' }, crypto.randomUUID());
  onTestFinished(() => deleteApp(app));
  return app;
}

test(`[I193] firebase ${SDK_VERSION} shows which services an app has`, () => {
  const app = openApp();
  expect([hasService(app, 'auth'), hasService(app, 'database')]).toEqual([false, false]);
  initializeAuth(app);
  getDatabase(app);
  expect([hasService(app, 'auth'), hasService(app, 'database')]).toEqual([true, true]);
});

test(`[I193] the Auth of firebase ${SDK_VERSION} has the members that this package reads and changes`, () => {
  expect(initializeAuth(openApp())).toMatchObject({
    config: {
      apiScheme: 'https',
      apiHost: 'identitytoolkit.googleapis.com',
      tokenApiHost: 'securetoken.googleapis.com',
    },
    _canInitEmulator: true,
    _delete: expect.any(Function),
  });
});

test(`[I193] the popup resolver of firebase ${SDK_VERSION} for pages has all members`, async () => {
  const { browserPopupRedirectResolver } = await importBrowserBuild();
  expect(browserPopupRedirectResolver).toBeTypeOf('function');
  expect(findPopupRedirectResolver(browserPopupRedirectResolver)).toBeTypeOf('function');
});
