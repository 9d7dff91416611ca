import { type App, type AppOptions, deleteApp, initializeApp } from 'firebase-admin/app';
import { type Database, getDatabase } from 'firebase-admin/database';
import { afterAll, inject } from 'vitest';

/** The Admin SDK reads rules with a credential, even from an emulator. Without this one it looks for Google's. */
const OWNER = { getAccessToken: async () => ({ access_token: 'owner', expires_in: 3_600 }) };

/**
 * Opens databases with the Admin SDK as on a machine where FIREBASE_DATABASE_EMULATOR_HOST is set; the SDK reads the
 * variable once. The apps are deleted at the end of the test file.
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
