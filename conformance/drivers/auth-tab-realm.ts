/** What a tab has of its own: the SDK, loaded once more, with its own state and timers. */
import { hearthAuth } from '@hearth/client';
import { initializeApp } from 'firebase/app';
import * as sdk from 'firebase/auth';

/** Where an Auth may keep its user. */
export type Keeping = 'indexedDB' | 'localStorage' | 'sessionStorage' | 'memory';

export interface AuthTabContext {
  readonly sdk: typeof sdk;
  /** An Auth of an app with a name; kept where `getAuth` keeps users, or in the first place given that there is. */
  openAuth(url: string, appName: string, keeping?: readonly Keeping[]): sdk.Auth;
  persistenceOf(keeping: Keeping): sdk.Persistence;
}

declare global {
  interface Window {
    authTabContext?: AuthTabContext;
  }
}

const PERSISTENCES: Readonly<Record<Keeping, sdk.Persistence>> = {
  indexedDB: sdk.indexedDBLocalPersistence,
  localStorage: sdk.browserLocalPersistence,
  sessionStorage: sdk.browserSessionPersistence,
  memory: sdk.inMemoryPersistence,
};

window.authTabContext = {
  sdk,
  openAuth(url, appName, keeping) {
    const app = initializeApp({ apiKey: 'any', projectId: 'demo' }, appName);
    return hearthAuth(
      app,
      url,
      keeping === undefined ? {} : { persistence: keeping.map((location) => PERSISTENCES[location]) },
    );
  },
  persistenceOf: (keeping) => PERSISTENCES[keeping],
};
