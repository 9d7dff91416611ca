import { hearthAuth } from '@hearth/client';
import { type Auth, connectAuthEmulator, initializeAuth, inMemoryPersistence } from 'firebase/auth';
import { inject } from 'vitest';
import { openHostedApp } from './hosted-app.ts';

/** How an app may be told where its users are. */
export const AUTH_WAYS = ['connectAuthEmulator', 'hearthAuth'] as const;

export interface AuthClientOptions {
  /** Address instead of the server's own. */
  readonly url?: string;
  /** `hearthAuth` unless given. */
  readonly by?: (typeof AUTH_WAYS)[number];
}

/** An Auth of an app of its own, which remembers its user no longer than the running test. */
export function openAuth(options: AuthClientOptions = {}): Auth {
  const app = openHostedApp();
  const url = options.url ?? inject('serverUrl');
  if (options.by !== 'connectAuthEmulator') return hearthAuth(app, url, { persistence: inMemoryPersistence });
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  connectAuthEmulator(auth, url, { disableWarnings: true });
  return auth;
}

/** An address that no other test has. */
export function freshEmail(): string {
  return `${crypto.randomUUID()}@example.com`;
}

/** A password for accounts of which the password does not matter. */
export const PASSWORD = 'a long password';

/** A custom token as development mode takes it. */
export function customToken(uid: string, claims: object = {}): string {
  return JSON.stringify({ uid, claims });
}
