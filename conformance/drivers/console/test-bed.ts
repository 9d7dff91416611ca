import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, firefox } from 'playwright';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { openDataDir, type ServerOptions, type ServerProcess, startServer } from '../server-process.ts';
import { openBrowser } from './keyboard-visitor.ts';
import { ConsoleVisitor } from './visitor.ts';

const BRIDGE = join(import.meta.dirname, 'firefox-bridge.mjs');

/** Less motion, as in all tests of the console; Firefox cannot change this setting while it runs. */
const PREFERENCES = { 'ui.prefersReducedMotion': 1 };

/** Starts the real Firefox, driven by WebDriver BiDi: Debian's, or the one that FIREFOX_PATH names. */
export function openFirefox(): Promise<Browser> {
  return firefox.launch({ channel: 'moz-firefox', executablePath: BRIDGE, firefoxUserPrefs: PREFERENCES });
}

/** A server for one test file, and a browser to visit its console with. */
export interface ConsoleTestBed {
  readonly server: ServerProcess;
  readonly browser: Browser;
  /** Opens a view, such as `/projects/demo/data`, in a separate browser window; it is closed with the running test. */
  visit(view: string, options?: BrowserContextOptions): Promise<ConsoleVisitor>;
  /** Sends a request as an administrator of the whole server. Rejects unless the response is a success. */
  admin(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** How the server is started, and which browser. */
interface ConsoleTestBedOptions extends Omit<ServerOptions, 'dataDir'> {
  /** Chromium unless given. */
  readonly launch?: () => Promise<Browser>;
}

/** Starts server and browser before the tests of a file, and ends them afterwards. */
export function openConsoleTestBed({
  launch = openBrowser,
  ...options
}: ConsoleTestBedOptions = {}): ConsoleTestBed {
  let parts:
    | {
        readonly server: ServerProcess;
        readonly browser: Browser;
        /** The credential of an administrator. */
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
    if (parts === undefined) throw new Error('The test bed exists only while tests run.');
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

/** Reads the token that a server with accounts stores for users who can read its data directory. */
async function readToken(dataDir: string): Promise<string> {
  const access: unknown = JSON.parse(await readFile(join(dataDir, 'local-access.json'), 'utf8'));
  if (typeof access !== 'object' || access === null || !('token' in access))
    throw new Error('The file has no token.');
  return String(access.token);
}

/** Databases of a test bed; each test creates its own. */
export interface TestDatabases {
  /** Writes data to a new database and returns its name. */
  seed(data: unknown): Promise<string>;
  put(name: string, path: string, data: unknown): Promise<unknown>;
  get(name: string, path?: string): Promise<unknown>;
}

export function databasesOf(testBed: ConsoleTestBed): TestDatabases {
  const put: TestDatabases['put'] = (name, path, data) =>
    testBed.admin('PUT', `${path}.json?ns=${name}`, data);
  return {
    async seed(data) {
      const name = `data-${crypto.randomUUID().slice(0, 8)}`;
      await put(name, '/', data);
      return name;
    },
    put,
    get: (name, path = '/') => testBed.admin('GET', `${path}.json?ns=${name}`),
  };
}

type Json = Readonly<Record<string, unknown>>;

/** A project with accounts, with functions to prepare and to read it. */
export interface AccountProject {
  /** Path of the view that lists all accounts. */
  readonly list: string;
  /** Returns the path of the view of one account. */
  account(uid: string): string;
  find(uid: string): Promise<Json | undefined>;
  change(uid: string, change: Json): Promise<void>;
}

/** Imports accounts into a project of a server in development mode. */
export async function openAccountProject(
  testBed: ConsoleTestBed,
  id: string,
  users: readonly Json[] = [],
): Promise<AccountProject> {
  const at = (rest: string): string => `/v1/projects/${id}/accounts:${rest}`;
  if (users.length > 0) await testBed.admin('POST', at('batchCreate'), { users, allowOverwrite: true });
  const list = `/projects/${id}/accounts`;
  return {
    list,
    account: (uid) => `${list}/${encodeURIComponent(uid)}`,
    async find(uid) {
      const found = await testBed.admin('POST', at('lookup'), { localId: [uid] });
      const { users: accounts = [] } = found as { readonly users?: readonly Json[] };
      return accounts[0];
    },
    async change(uid, change) {
      await testBed.admin('POST', at('update'), { localId: uid, ...change });
    },
  };
}

/** Returns one of many accounts, such as `u0007` with the address `person7@example.com`. */
export function person(index: number, more: Json = {}): Json {
  return { localId: `u${String(index).padStart(4, '0')}`, email: `person${index}@example.com`, ...more };
}
