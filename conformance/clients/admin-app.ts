import { type App, type AppOptions, deleteApp, initializeApp } from 'firebase-admin/app';
import { type Database, getDatabase } from 'firebase-admin/database';
import { afterAll, inject } from 'vitest';

/** Rules are fetched with a credential of its own kind even from an emulator; without one it would look for Google's. */
const OWNER = { getAccessToken: async () => ({ access_token: 'owner', expires_in: 3_600 }) };

/**
 * Databases as the Admin SDK sees them on a machine where FIREBASE_DATABASE_EMULATOR_HOST is set, which it reads once. Their
 * apps are deleted at the end of the test file.
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
