import { connectHearth } from '@hearth/client';
import { type Auth, connectAuthEmulator, initializeAuth, inMemoryPersistence } from 'firebase/auth';
import { connectDatabaseEmulator, type Database, forceWebSockets, getDatabase } from 'firebase/database';
import { inject } from 'vitest';
import { openHostedApp } from './hosted-app.ts';

/** How an app may be told where its users and its data are. */
export const APP_WAYS = ['the emulator functions', 'connectHearth'] as const;

/** The users and the data of one app. */
export interface AuthDatabase {
  readonly auth: Auth;
  readonly db: Database;
}

/**
 * An app of its own with users and a database; its connection knows who is signed in. `dataUrl` is where its data are instead of
 * the server itself; by the emulator functions only.
 */
export function openAuthDatabase(
  namespace: string,
  by: (typeof APP_WAYS)[number],
  dataUrl = inject('serverUrl'),
): AuthDatabase {
  const app = openHostedApp({ databaseURL: `https://${namespace}.firebaseio.com` });
  const url = inject('serverUrl');
  forceWebSockets();
  if (by === 'connectHearth') {
    const { auth, database } = connectHearth(app, url, { persistence: inMemoryPersistence });
    return { auth, db: database };
  }
  const { hostname, port } = new URL(dataUrl);
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  connectAuthEmulator(auth, url, { disableWarnings: true });
  const db = getDatabase(app);
  connectDatabaseEmulator(db, hostname, Number(port));
  return { auth, db };
}
