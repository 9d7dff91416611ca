import type { Browser } from 'playwright';
import { openBrowser } from './browser.ts';
import { openDataDir, type ServerProcess, startServer } from './server-process.ts';

/** A server with data of its own, and a browser. Disposing of it ends both and removes the data. */
export interface ServerWithBrowser extends AsyncDisposable {
  readonly server: ServerProcess;
  readonly browser: Browser;
}

/** Starts a server in development mode and a browser. For tests that change the settings of a server. */
export async function openServerWithBrowser(): Promise<ServerWithBrowser> {
  await using resources = new AsyncDisposableStack();
  const data = await openDataDir();
  resources.defer(data.remove);
  const starting = startServer({ dataDir: data.path });
  resources.defer(async () => (await starting).stop());
  const browser = await openBrowser();
  resources.defer(() => browser.close());
  const server = await starting;
  const owned = resources.move();
  return { server, browser, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
