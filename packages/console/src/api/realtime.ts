import { Component, type ComponentType } from '@firebase/component';
import { hearthDatabase } from '@hearth/client';
import { deleteApp, type FirebaseApp, initializeApp } from 'firebase/app';
import type { Database } from 'firebase/database';
import type { Credential } from './session.ts';

/** A database of the official SDK, until it is closed. */
export interface OpenDatabase {
  readonly database: Database;
  close(): void;
}

/**
 * Connects the official SDK to a database of this server with the member's credential. The console provides the tokens in
 * place of the Auth SDK, because a member's token has a prefix that the Auth SDK does not add.
 */
export function openDatabase(name: string, credential: Credential): OpenDatabase {
  const app = initializeApp(
    { projectId: name, databaseURL: `${location.origin}?ns=${name}` },
    crypto.randomUUID(),
  );
  provideTokens(app, credential);
  return { database: hearthDatabase(app, location.origin), close: () => void deleteApp(app) };
}

/** An unpublished part of the SDK's app object. */
interface AppInternals {
  readonly container: { addOrOverwriteComponent(component: Component<never>): void };
}

/** The SDK's name for the token provider. TypeScript knows this name only if the Auth SDK's types are imported, so that the cast is necessary. */
const AUTH = 'auth-internal' as never;
/** The SDK declares `ComponentType` as a `const enum`, which has no value at run time. */
const PRIVATE = 'PRIVATE' as ComponentType.PRIVATE;

type TokenListener = (token: string | null) => void;

/** Registers the credential as the SDK's token provider. */
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
