import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, firefox } from 'playwright';
import { afterAll, afterEach, beforeAll, onTestFinished } from 'vitest';
import { type Administrator, openAdministrator } from '../administrator.ts';
import { openBrowser } from '../browser.ts';
import { openDataDir, type ServerOptions, type ServerProcess, startServer } from '../server-process.ts';
import { ConsoleVisitor } from './visitor.ts';

const BRIDGE = join(import.meta.dirname, 'firefox-bridge.mjs');

/** Less motion, as in all tests of the console; Firefox cannot change this setting while it runs. */
const PREFERENCES = { 'ui.prefersReducedMotion': 1 };

/** Starts Debian's Firefox, or the one that FIREFOX_PATH names, and controls it through WebDriver BiDi. */
export function openFirefox(preferences: Readonly<Record<string, number>> = {}): Promise<Browser> {
  return firefox.launch({
    channel: 'moz-firefox',
    executablePath: BRIDGE,
    firefoxUserPrefs: { ...PREFERENCES, ...preferences },
  });
}

/** A server for one test file, and a browser that visits the server's console. */
export interface ConsoleTestBed {
  readonly server: ServerProcess;
  readonly browser: Browser;
  /** Opens a view, such as `/projects/demo/data`, in a separate window, and closes it when the running test ends. */
  visit(view: string, options?: BrowserContextOptions): Promise<ConsoleVisitor>;
  readonly admin: Administrator;
}

/** How the server and the browser are started. */
interface ConsoleTestBedOptions extends Omit<ServerOptions, 'dataDir'> {
  /** Chromium unless given. */
  readonly launch?: () => Promise<Browser>;
}

/**
 * Registers hooks that start a server and a browser before the tests of a file, and stop them afterwards. The members
 * of the returned test bed throw until the server and the browser run.
 */
export function openConsoleTestBed({
  launch = openBrowser,
  ...options
}: ConsoleTestBedOptions = {}): ConsoleTestBed {
  let parts:
    | {
        readonly server: ServerProcess;
        readonly browser: Browser;
        readonly admin: Administrator;
        close(): Promise<void>;
      }
    | undefined;
  beforeAll(async () => {
    const data = await openDataDir();
    const [server, browser] = await Promise.all([startServer({ ...options, dataDir: data.path }), launch()]);
    parts = {
      server,
      browser,
      admin: await openAdministrator(server, options.command),
      async close() {
        await browser.close();
        await server.stop();
        await data.remove();
      },
    };
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail' && parts !== undefined) await printPages(parts.browser);
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
    admin: (method, path, body) => open().admin(method, path, body),
  };
}

/** Longest text of a page that is printed, in characters. */
const PRINTED_CHARS = 3_000;

/** Prints the address and the content of each open page, because a failed test names only the missing element. */
async function printPages(browser: Browser): Promise<void> {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    const content = await page.locator('body').ariaSnapshot().catch(String);
    console.error(`Page ${page.url()}\n${content.slice(0, PRINTED_CHARS)}`);
  }
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

/** The accounts of a project: the paths of their views, and functions that read and change an account. */
export interface AccountProject {
  /** Path of the view that lists all accounts. */
  readonly list: string;
  /** Returns the path of the view of one account. */
  account(uid: string): string;
  find(uid: string): Promise<Json | undefined>;
  change(uid: string, change: Json): Promise<void>;
}

/**
 * Imports accounts into a project of the test bed, whose server must be in development mode. Returns functions that work
 * with any account of the project.
 */
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

/** Returns the data of a numbered account for an import: 7 gives `u0007` with the email address `person7@example.com`. */
export function person(index: number, more: Json = {}): Json {
  return { localId: `u${String(index).padStart(4, '0')}`, email: `person${index}@example.com`, ...more };
}
