import { type App, type AppOptions, deleteApp, initializeApp } from 'firebase-admin/app';
import { type Database, getDatabase } from 'firebase-admin/database';
import { afterAll, inject } from 'vitest';

/** The Admin SDK needs a credential to read rules, even from an emulator. Without this one, it looks for Google's. */
const OWNER = { getAccessToken: async () => ({ access_token: 'owner', expires_in: 3_600 }) };

/**
 * Sets FIREBASE_DATABASE_EMULATOR_HOST, which the Admin SDK reads once, and returns a function that opens a database
 * with the SDK. The apps are deleted at the end of the test file.
 */
export function useAdminApps(): (namespace: string, options?: AppOptions) => Database {
  process.env['FIREBASE_DATABASE_EMULATOR_HOST'] = new URL(inject('serverUrl')).host;
  const apps: App[] = [];
  afterAll(async () => {
    await Promise.all(apps.map(deleteApp));
  });
  return (namespace, options) => {
    const app = initializeApp(
      { databaseURL: `https://${namespace}.firebaseio.com`, credential: OWNER, ...options },
      crypto.randomUUID(),
    );
    apps.push(app);
    return getDatabase(app);
  };
}
