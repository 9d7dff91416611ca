/** The script of a tab. Each tab gets its own copy of the SDK, with its own state and timers. */
import { hearthAuth } from '@hearth/client';
import { initializeApp } from 'firebase/app';
import * as sdk from 'firebase/auth';

/** Where an Auth may store its user. */
export type UserStore = 'indexedDB' | 'localStorage' | 'sessionStorage' | 'memory';

export interface AuthTabContext {
  readonly sdk: typeof sdk;
  /**
   * Opens the Auth of a new app named `appName`. The Auth stores its user where `getAuth` does, or in the first
   * available store of `stores`.
   */
  openAuth(url: string, appName: string, stores?: readonly UserStore[]): sdk.Auth;
  persistenceOf(store: UserStore): sdk.Persistence;
}

declare global {
  interface Window {
    authTabContext?: AuthTabContext;
  }
}

const PERSISTENCES: Readonly<Record<UserStore, sdk.Persistence>> = {
  indexedDB: sdk.indexedDBLocalPersistence,
  localStorage: sdk.browserLocalPersistence,
  sessionStorage: sdk.browserSessionPersistence,
  memory: sdk.inMemoryPersistence,
};

window.authTabContext = {
  sdk,
  openAuth(url, appName, stores) {
    const app = initializeApp({ apiKey: 'any', projectId: 'demo' }, appName);
    return hearthAuth(
      app,
      url,
      stores === undefined ? {} : { persistence: stores.map((store) => PERSISTENCES[store]) },
    );
  },
  persistenceOf: (store) => PERSISTENCES[store],
};
