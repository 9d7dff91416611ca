import { deleteApp, type FirebaseApp, initializeApp } from 'firebase/app';
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
} from 'firebase/database';
import { inject, onTestFinished } from 'vitest';

/** How a client is pointed at the server. */
export interface ClientOptions {
  /** Address instead of the server's own, such as that of a tap. */
  readonly url?: string;
  /** `url` puts the address into the database URL; `emulator` uses `connectDatabaseEmulator`. */
  readonly via?: 'url' | 'emulator';
  /** Claims of an unsigned token, or a whole token; emulator only. */
  readonly mockUser?: string | { readonly sub: string; readonly [claim: string]: unknown };
  /**
   * How it connects; by WebSockets unless given. `chosen` leaves it to the SDK. One page has only one of them.
   */
  readonly transport?: keyof typeof TRANSPORTS;
  /** Runs between making the app and making its database. */
  readonly prepareApp?: (app: FirebaseApp) => void;
}

const TRANSPORTS = {
  // A browser falls back to long polling when two sockets open at once, which is another transport's matter.
  webSocket: forceWebSockets,
  polling: forceLongPolling,
  chosen: () => undefined,
} as const;

let clientCount = 0;

/** One app with its own connection, deleted with the running test. */
export function openClient(namespace: string, options: ClientOptions = {}): Database {
  const url = options.url ?? inject('serverUrl');
  return openDatabase(namespace, `${url}?ns=${namespace}`, options);
}

/** One app with the given database URL, deleted with the running test. */
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

/** A location nobody has used, below the given parent. */
export function freshRef(db: Database, parent = '/'): DatabaseReference {
  return push(ref(db, parent));
}

/** The same location seen by another client. */
export function sameRef(db: Database, other: DatabaseReference): DatabaseReference {
  return ref(db, pathOf(other));
}

/** The path of a location, without a leading slash. */
export function pathOf(location: DatabaseReference): string {
  return decodeURIComponent(location.toString().slice(location.root.toString().length)).replace(/^\//, '');
}

/**
 * Returns once the server has answered everything asked before, and its pushes of the time before have come.
 * Answers of one connection keep the order of requests, so an event that has not come by now never will.
 */
export async function settle(db: Database): Promise<void> {
  await get(push(ref(db, 'settle')));
}

/** Waits until the client's own connection state is the given one. */
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

/** Leaves the server and waits until the client has noticed. */
export async function disconnect(db: Database): Promise<void> {
  goOffline(db);
  await untilConnected(db, false);
}

/** Comes back and waits for the connection. */
export async function reconnect(db: Database): Promise<void> {
  goOnline(db);
  await untilConnected(db);
}

/** Two clients of one namespace, each with its own connection. */
export function openPair(namespace: string): { readonly writer: Database; readonly reader: Database } {
  return { writer: openClient(namespace), reader: openClient(namespace, { via: 'emulator' }) };
}
