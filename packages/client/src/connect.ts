import type { FirebaseApp } from 'firebase/app';
import type { Auth } from 'firebase/auth';
import type { Database } from 'firebase/database';
import { type HearthAuthOptions, hearthAuth } from './auth.ts';
import { hearthDatabase } from './database.ts';

/** The services of an app at a Hearth server. */
export interface HearthConnection {
  readonly auth: Auth;
  readonly database: Database;
}

/**
 * Creates the Auth and the database of an app, both at the Hearth server at `url`. Throws like `hearthAuth`
 * and `hearthDatabase`.
 */
export function connectHearth(app: FirebaseApp, url: string, options?: HearthAuthOptions): HearthConnection {
  return { auth: hearthAuth(app, url, options), database: hearthDatabase(app, url) };
}
