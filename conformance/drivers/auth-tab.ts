import type { Auth, Unsubscribe } from 'firebase/auth';
import { inject, onTestFinished } from 'vitest';
import type { AuthTabContext, Keeping } from './auth-tab-realm.ts';

const DATABASE = 'firebaseLocalStorageDb';
const STORE = 'firebaseLocalStorage';

/** Where this browser keeps the user of an app. */
export async function findPersistedUser(appName: string): Promise<readonly Keeping[]> {
  const key = `firebase:authUser:any:${appName}`;
  const paths: Keeping[] = [];
  if (await isInIndexedDb(key)) paths.push('indexedDB');
  if (localStorage.getItem(key) !== null) paths.push('localStorage');
  if (sessionStorage.getItem(key) !== null) paths.push('sessionStorage');
  return paths;
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

/** A window of its own with an app, beside others of the same origin. */
export interface AuthTab {
  readonly auth: Auth;
  readonly sdk: AuthTabContext['sdk'];
  /** Moves the user elsewhere. */
  keepIn(keeping: Keeping): Promise<void>;
  /** The uids that the app was told of so far, null for nobody, in order. */
  readonly heard: readonly (string | null)[];
  /** Loads the page again, and resolves when the app knows its user. */
  reload(): Promise<AuthTab>;
}

export interface AuthTabOptions {
  /** Tabs with the same name have the same user. */
  readonly appName: string;
  /** Where the app keeps its user: where it can be kept best unless given. */
  readonly keeping?: readonly Keeping[];
  /** What the browser does not have. */
  readonly lacking?: readonly Exclude<Keeping, 'memory'>[];
  /** What its IndexedDB, which it has, does not do. */
  readonly damage?: keyof typeof DAMAGES;
}

/** Ways in which the IndexedDB of browsers fails, as scripts. */
const DAMAGES = {
  'takes nothing': "IDBObjectStore.prototype.put = () => { throw new DOMException('', 'ReadOnlyError'); };",
  'does not open': "IDBFactory.prototype.open = () => { throw new DOMException('', 'SecurityError'); };",
} as const;

/** Opens a tab, closed with the running test, and resolves when its app knows its user. Browser only. */
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
  const auth = context.openAuth(inject('serverUrl'), options.appName, options.keeping);
  const heard: (string | null)[] = [];
  const leave: Unsubscribe = auth.onAuthStateChanged((user) => void heard.push(user?.uid ?? null));
  onTestFinished(leave);
  await auth.authStateReady();
  return {
    auth,
    sdk: context.sdk,
    heard,
    keepIn: (keeping) => auth.setPersistence(context.persistenceOf(keeping)),
    reload: () => loadTab(frame, options),
  };
}

function tabPage({ lacking = [], damage }: AuthTabOptions): string {
  const contextUrl = new URL('./auth-tab-realm.ts', import.meta.url).href;
  const hiding = lacking.map((name) => `Object.defineProperty(window, '${name}', { value: undefined });`);
  const script = [...hiding, damage === undefined ? '' : DAMAGES[damage]].join('');
  return `<!doctype html><script>${script}</script><script type="module" src="${contextUrl}"></script>`;
}
