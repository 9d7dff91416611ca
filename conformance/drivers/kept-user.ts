import type { Keeping } from './auth-tab-realm.ts';

const DATABASE = 'firebaseLocalStorageDb';
const STORE = 'firebaseLocalStorage';

/** Where this browser keeps the user of an app. */
export async function findKeptUser(appName: string): Promise<readonly Keeping[]> {
  const key = `firebase:authUser:any:${appName}`;
  const places: Keeping[] = [];
  if (await isInIndexedDb(key)) places.push('indexedDB');
  if (localStorage.getItem(key) !== null) places.push('localStorage');
  if (sessionStorage.getItem(key) !== null) places.push('sessionStorage');
  return places;
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
