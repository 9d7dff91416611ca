import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions } from 'playwright';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { ConsoleVisitor } from './console-visitor.ts';
import { openBrowser } from './keyboard-visitor.ts';
import { openDataDir, type ServerOptions, type ServerProcess, startServer } from './server-process.ts';

/** A server of a file's own, and a browser to visit its console with. */
export interface ConsoleStand {
  readonly server: ServerProcess;
  readonly browser: Browser;
  /** Opens a view, such as `/projects/demo/data`, in a browser window of its own; it is closed with the running test. */
  visit(view: string, options?: BrowserContextOptions): Promise<ConsoleVisitor>;
  /** Asks as an administrator of the whole server. Rejects unless the answer is a success. */
  admin(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** How the server is started, and which browser. */
interface ConsoleStandOptions extends Omit<ServerOptions, 'dataDir'> {
  /** Chromium unless given. */
  readonly launch?: () => Promise<Browser>;
}

/** Starts them before the tests of a file, and ends them afterwards. */
export function openConsoleStand({
  launch = openBrowser,
  ...options
}: ConsoleStandOptions = {}): ConsoleStand {
  let parts:
    | {
        readonly server: ServerProcess;
        readonly browser: Browser;
        /** An administrator's. */
        readonly token: string;
        close(): Promise<void>;
      }
    | undefined;
  beforeAll(async () => {
    const data = await openDataDir();
    const [server, browser] = await Promise.all([startServer({ ...options, dataDir: data.path }), launch()]);
    parts = {
      server,
      browser,
      token: options.command === 'serve' ? await readToken(data.path) : 'owner',
      async close() {
        await browser.close();
        await server.stop();
        await data.remove();
      },
    };
  });
  afterAll(() => parts?.close());
  function open() {
    if (parts === undefined) throw new Error('The stand is there while tests run.');
    return parts;
  }
  return {
    get server() {
      return open().server;
    },
    get browser() {
      return open().browser;
    },
    async visit(view, context) {
      const { browser, server } = open();
      const visitor = await ConsoleVisitor.open(browser, `${server.url}/console${view}`, context);
      onTestFinished(() => visitor.close());
      return visitor;
    },
    async admin(method, path, body) {
      const response = await fetch(`${open().server.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${open().token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === '' ? null : JSON.parse(text);
    },
  };
}

/** What a server that asks for accounts leaves for whoever may read its data. */
async function readToken(dataDir: string): Promise<string> {
  const access: unknown = JSON.parse(await readFile(join(dataDir, 'local-access.json'), 'utf8'));
  if (typeof access !== 'object' || access === null || !('token' in access))
    throw new Error('There is no token.');
  return String(access.token);
}
