import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const SDK = dirname(createRequire(import.meta.url).resolve('firebase/package.json'));

/**
 * A page with a client of its own that polls, to be left. Its address says where: `?url=<database URL>&path=<path>`. Writes
 * `online`, asks for `offline` when it is gone, then tells the page around it `registered`.
 */
export function leavingPage(): string {
  const scripts = ['firebase-app-compat.js', 'firebase-database-compat.js'].map((name) => {
    const text = readFileSync(join(SDK, name), 'utf8');
    return `<script>${text.replaceAll('</script', '<\\/script')}</script>`;
  });
  return `<!doctype html><body>${scripts.join('')}<script>
const parameters = new URL(location.href).searchParams;
const database = firebase.initializeApp({ databaseURL: parameters.get('url') }).database();
database.INTERNAL.forceLongPolling();
const at = database.ref(parameters.get('path'));
at.set('online')
  .then(() => at.onDisconnect().set('offline'))
  .then(() => parent.postMessage('registered', '*'));
</script></body>`;
}
