import { _addComponent, type FirebaseApp } from 'firebase/app';
import type { Database } from 'firebase/database';
import { inject } from 'vitest';
import { openDatabase } from './sdk-client.ts';

declare module '@firebase/app' {
  /** Gives an app a service, as the packages of the SDK do among themselves. */
  export function _addComponent(app: FirebaseApp, component: object): void;
}

type TokenListener = (token: string | null) => void;

/** A client whose sign-in state the test decides, in the place of the sign-in SDK. */
export interface SignInClient {
  readonly db: Database;
  /** Signs in with a token, or out with null. */
  sign(token: string | null): void;
}

/** Opens a client that asks the test for its token, as it would ask the sign-in SDK. */
export function openSignInClient(namespace: string, firstToken: string | null, url?: string): SignInClient {
  let token = firstToken;
  const listeners = new Set<TokenListener>();
  const auth = {
    getToken: async () => (token === null ? null : { accessToken: token }),
    getUid: () => null,
    addAuthTokenListener: (listener: TokenListener) => {
      listeners.add(listener);
    },
    removeAuthTokenListener: (listener: TokenListener) => {
      listeners.delete(listener);
    },
  };
  const db = openDatabase(namespace, `${url ?? inject('serverUrl')}?ns=${namespace}`, {
    prepareApp: (app) =>
      _addComponent(app, {
        name: 'auth-internal',
        instanceFactory: () => auth,
        type: 'PRIVATE',
        multipleInstances: false,
        serviceProps: {},
        instantiationMode: 'LAZY',
        onInstanceCreated: null,
      }),
  });
  return {
    db,
    sign: (next) => {
      token = next;
      for (const listener of listeners) listener(next);
    },
  };
}
