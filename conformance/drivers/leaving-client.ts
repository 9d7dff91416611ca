/**
 * A client in a separate process, which a test kills. Arguments: server URL, namespace, path.
 * Writes `online`, requests `offline` on disconnect, prints `registered` and stays connected.
 */
import { initializeApp } from 'firebase/app';
import { getDatabase, onDisconnect, ref, set } from 'firebase/database';

const [url, namespace, path] = process.argv.slice(2);
const db = getDatabase(initializeApp({ databaseURL: `${url}?ns=${namespace}` }));
const at = ref(db, path);
await set(at, 'online');
await onDisconnect(at).set('offline');
console.log('registered');
