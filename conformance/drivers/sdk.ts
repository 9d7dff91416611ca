import { _addOrOverwriteComponent, deleteApp, type FirebaseApp, initializeApp } from 'firebase/app';
import * as database from 'firebase/database';
import {
  connectDatabaseEmulator,
  type Database,
  type DatabaseReference,
  forceLongPolling,
  forceWebSockets,
  get,
  getDatabase,
  goOffline,
  goOnline,
  onValue,
  push,
  ref,
  set,
} from 'firebase/database';
import { inject, onTestFinished } from 'vitest';
import type { JsonObject } from './json.ts';
import { openNamespace } from './namespace.ts';

declare module '@firebase/database' {
  /** Test hook of the SDK: replaces the hash of every compare-and-set. Returns a function that ends the replacement. */
  export function _TEST_ACCESS_hijackHash(newHash: () => string): () => void;
}

/** Makes every transaction of this runtime send the given hash until the running test ends. */
export function hijackHash(hash: string): void {
  const restore = database._TEST_ACCESS_hijackHash(() => hash);
  onTestFinished(restore);
}

/** How a client connects to the server, and as which user. */
export interface ClientOptions {
  /** Used instead of the server's own address; for example the address of a tap. */
  readonly url?: string;
  /**
   * `url`, the default, puts the address into the database URL; `emulator` also calls `connectDatabaseEmulator`. A
   * `mockUser` implies `emulator`.
   */
  readonly via?: 'url' | 'emulator';
  /** Claims of an unsigned token, or a whole token. */
  readonly mockUser?: string | { readonly sub: string; readonly [claim: string]: unknown };
  /**
   * The transport; WebSockets unless given. `webSocket` and `polling` apply to all clients of the page. `chosen`
   * changes nothing, so the SDK chooses if no earlier client of the page has set a transport.
   */
  readonly transport?: keyof typeof TRANSPORTS;
  /** Runs after the app is created and before its database is. */
  readonly prepareApp?: (app: FirebaseApp) => void;
}

const TRANSPORTS = {
  // WebSockets are forced, because in a browser the SDK uses long polling when two sockets open at the same time.
  webSocket: forceWebSockets,
  polling: forceLongPolling,
  chosen: () => undefined,
} as const;

let clientCount = 0;

/** Opens a client: the database of a new app with its own connection. Deletes the app when the running test ends. */
export function openClient(namespace: string, options: ClientOptions = {}): Database {
  const url = options.url ?? inject('serverUrl');
  return openDatabase(namespace, `${url}?ns=${namespace}`, options);
}

/** Opens the database of a new app with the given database URL. Deletes the app when the running test ends. */
export function openDatabase(namespace: string, databaseURL: string, options: ClientOptions = {}): Database {
  clientCount += 1;
  const app = initializeApp({ projectId: namespace, apiKey: 'any', databaseURL }, `client-${clientCount}`);
  onTestFinished(() => deleteApp(app));
  options.prepareApp?.(app);
  TRANSPORTS[options.transport ?? 'webSocket']();
  const db = getDatabase(app);
  if (options.via === 'emulator' || options.mockUser !== undefined) {
    const { hostname, port } = new URL(options.url ?? inject('serverUrl'));
    connectDatabaseEmulator(
      db,
      hostname,
      Number(port),
      options.mockUser === undefined ? {} : { mockUserToken: options.mockUser },
    );
  }
  return db;
}

/** Returns a location below the given parent that no other test uses. */
export function freshRef(db: Database, parent = '/'): DatabaseReference {
  return push(ref(db, parent));
}

/** Returns the same location for another client. */
export function sameRef(db: Database, other: DatabaseReference): DatabaseReference {
  return ref(db, pathOf(other));
}

/** Returns the path of a location, without a leading slash. */
export function pathOf(location: DatabaseReference): string {
  return decodeURIComponent(location.toString().slice(location.root.toString().length)).replace(/^\//, '');
}

/**
 * Waits until the server has answered all earlier requests of the client. Responses keep the order of the requests,
 * so the pushes that these requests cause have arrived, too.
 */
export async function settle(db: Database): Promise<void> {
  await get(push(ref(db, 'settle')));
}

/** Waits until the client reports that it is connected, or that it is not. */
export function untilConnected(db: Database, isConnected = true): Promise<void> {
  return new Promise((resolve) => {
    let isDone = false;
    const off = onValue(ref(db, '.info/connected'), (snapshot) => {
      if (isDone || snapshot.val() !== isConnected) return;
      isDone = true;
      queueMicrotask(() => off());
      resolve();
    });
  });
}

/** Disconnects the client, and waits until the client reports that it is not connected. */
export async function disconnect(db: Database): Promise<void> {
  goOffline(db);
  await untilConnected(db, false);
}

/** Reconnects the client, and waits until the client reports that it is connected. */
export async function reconnect(db: Database): Promise<void> {
  goOnline(db);
  await untilConnected(db);
}

/** Opens two clients of one namespace, each with its own connection. */
export function openPair(namespace: string): { readonly writer: Database; readonly reader: Database } {
  return { writer: openClient(namespace), reader: openClient(namespace, { via: 'emulator' }) };
}

/** A database with its own rules. */
export interface RuledDatabase {
  readonly namespace: string;
  /** A client that bypasses the rules. */
  readonly owner: Database;
  /** Opens a client that the rules apply to: anonymous, or a user with these claims. */
  open(claims?: Exclude<ClientOptions['mockUser'], string>): Database;
}

/** Creates a database with the data and the rules, and with a rule that lets all clients read the path of `settle`. */
export async function openRuledDatabase(rules: JsonObject, data: unknown = null): Promise<RuledDatabase> {
  const namespace = await openNamespace({ rules: { ...SETTLE, ...rules } });
  const owner = openClient(namespace, { mockUser: 'owner' });
  if (data !== null) await set(ref(owner), data);
  return {
    namespace,
    owner,
    open: (claims) => openClient(namespace, claims === undefined ? {} : { mockUser: claims }),
  };
}

/** A rule that lets every client read the path that `settle` reads. */
export const SETTLE: JsonObject = { settle: { '.read': true } };

declare module '@firebase/app' {
  /** Registers a service with an app, as the packages of the SDK do internally. Replaces a service of the same name. */
  export function _addOrOverwriteComponent(app: FirebaseApp, component: object): void;
}

type TokenListener = (token: string | null) => void;

/** A client whose sign-in state is set by the test instead of the sign-in SDK. */
export interface SignInClient {
  readonly db: Database;
  /** Signs in with a token, or out with null. */
  sign(token: string | null): void;
}

/** Opens a client that takes its token from the test instead of the sign-in SDK. */
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
    // Another suite in this process may have loaded the sign-in SDK, which then adds its own service to every app.
    prepareApp: (app) =>
      _addOrOverwriteComponent(app, {
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
