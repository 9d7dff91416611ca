import { Component, type ComponentType } from '@firebase/component';
import { hearthDatabase } from '@hearth/client';
import { deleteApp, type FirebaseApp, initializeApp } from 'firebase/app';
import type { Database } from 'firebase/database';
import type { Credential } from './session.ts';

/** A database as the official SDK shows it, until it is closed. */
export interface OpenDatabase {
  readonly database: Database;
  close(): void;
}

/**
 * Connects the official SDK to a database of this server as whoever is at the console. The SDK asks the app for tokens
 * where it would ask its own Auth, which cannot be the console's: a member's token says that it is one.
 */
export function openDatabase(name: string, credential: Credential): OpenDatabase {
  const app = initializeApp(
    { projectId: name, databaseURL: `${location.origin}?ns=${name}` },
    crypto.randomUUID(),
  );
  provideTokens(app, credential);
  return { database: hearthDatabase(app, location.origin), close: () => void deleteApp(app) };
}

/** The part of an app that the SDK does not publish. */
interface AppInternals {
  readonly container: { addOrOverwriteComponent(component: Component<never>): void };
}

/** The SDK's name for what knows tokens, of which its types tell only those who use its Auth. */
const AUTH = 'auth-internal' as never;
/** The enumeration is there for the compiler alone. */
const PRIVATE = 'PRIVATE' as ComponentType.PRIVATE;

type TokenListener = (token: string | null) => void;

/** Puts a credential where the SDK looks for tokens. */
function provideTokens(app: FirebaseApp, credential: Credential): void {
  const stops = new Map<TokenListener, () => void>();
  const tokens = {
    getUid: () => null,
    getToken: async () => ({ accessToken: await credential.token() }),
    addAuthTokenListener(listener: TokenListener) {
      const notify = (): void => void credential.token().then(listener, () => listener(null));
      stops.set(listener, credential.onChange(notify));
      notify();
    },
    removeAuthTokenListener(listener: TokenListener) {
      stops.get(listener)?.();
      stops.delete(listener);
    },
  };
  const internals: FirebaseApp & Partial<AppInternals> = app;
  if (internals.container?.addOrOverwriteComponent === undefined)
    throw new Error('This SDK release has no service container.');
  internals.container.addOrOverwriteComponent(new Component(AUTH, () => tokens as never, PRIVATE));
}
