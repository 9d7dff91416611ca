import type { Auth, Unsubscribe } from 'firebase/auth';
import { inject, onTestFinished } from 'vitest';
import type { AuthTabContext, UserStore } from './auth-tab-realm.ts';

const DATABASE = 'firebaseLocalStorageDb';
const STORE = 'firebaseLocalStorage';

/** Returns the stores in which this browser has the user of an app. */
export async function findPersistedUser(appName: string): Promise<readonly UserStore[]> {
  const key = `firebase:authUser:any:${appName}`;
  const stores: UserStore[] = [];
  if (await isInIndexedDb(key)) stores.push('indexedDB');
  if (localStorage.getItem(key) !== null) stores.push('localStorage');
  if (sessionStorage.getItem(key) !== null) stores.push('sessionStorage');
  return stores;
}

async function isInIndexedDb(key: string): Promise<boolean> {
  const known = await indexedDB.databases();
  if (!known.some(({ name }) => name === DATABASE)) return false;
  const database = await result(indexedDB.open(DATABASE));
  try {
    if (!database.objectStoreNames.contains(STORE)) return false;
    const store = database.transaction(STORE, 'readonly').objectStore(STORE);
    return (await result(store.getKey(key))) !== undefined;
  } finally {
    database.close();
  }
}

function result<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** An iframe with its own app. All tabs have the same origin, so they share the stores of the browser. */
export interface AuthTab {
  readonly auth: Auth;
  readonly sdk: AuthTabContext['sdk'];
  /** Moves the user to another store. */
  moveTo(store: UserStore): Promise<void>;
  /** The uid of the user after each change of the sign-in state so far, in order; `null` if no user was signed in. */
  readonly received: readonly (string | null)[];
  /** Loads the page again. Resolves to the new tab when its app knows whether a user is signed in. */
  reload(): Promise<AuthTab>;
}

export interface AuthTabOptions {
  /** Tabs whose apps have the same name share the stored user. */
  readonly appName: string;
  /** Stores that the app may use, best first; those of `getAuth` unless given. */
  readonly stores?: readonly UserStore[];
  /** Stores that the browser lacks. */
  readonly missing?: readonly Exclude<UserStore, 'memory'>[];
  /** How the browser's IndexedDB fails, although it exists. */
  readonly damage?: keyof typeof DAMAGES;
}

/** Scripts that make the IndexedDB of a page fail. */
const DAMAGES = {
  'rejects writes': "IDBObjectStore.prototype.put = () => { throw new DOMException('', 'ReadOnlyError'); };",
  'does not open': "IDBFactory.prototype.open = () => { throw new DOMException('', 'SecurityError'); };",
} as const;

/**
 * Opens a tab, and closes it when the running test ends. Resolves when the app of the tab knows whether a user is
 * signed in. Works only in a browser.
 */
export async function openAuthTab(options: AuthTabOptions): Promise<AuthTab> {
  const frame = document.createElement('iframe');
  onTestFinished(() => frame.remove());
  return loadTab(frame, options);
}

async function loadTab(frame: HTMLIFrameElement, options: AuthTabOptions): Promise<AuthTab> {
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  frame.srcdoc = tabPage(options);
  if (!frame.isConnected) document.body.append(frame);
  await loaded;
  const context = frame.contentWindow?.authTabContext;
  if (context === undefined) throw new Error('The tab did not load.');
  const auth = context.openAuth(inject('serverUrl'), options.appName, options.stores);
  const received: (string | null)[] = [];
  const leave: Unsubscribe = auth.onAuthStateChanged((user) => void received.push(user?.uid ?? null));
  onTestFinished(leave);
  await auth.authStateReady();
  return {
    auth,
    sdk: context.sdk,
    received,
    moveTo: (store) => auth.setPersistence(context.persistenceOf(store)),
    reload: () => loadTab(frame, options),
  };
}

function tabPage({ missing = [], damage }: AuthTabOptions): string {
  const contextUrl = new URL('./auth-tab-realm.ts', import.meta.url).href;
  const hiding = missing.map((name) => `Object.defineProperty(window, '${name}', { value: undefined });`);
  const script = [...hiding, damage === undefined ? '' : DAMAGES[damage]].join('');
  return `<!doctype html><script>${script}</script><script type="module" src="${contextUrl}"></script>`;
}
