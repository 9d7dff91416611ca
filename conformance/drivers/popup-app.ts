import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { onTestFinished } from 'vitest';
import { PAGE_WITHIN_MS } from './browser.ts';
import { isJsonObject, parseJson } from './json.ts';

const SDK = dirname(createRequire(import.meta.url).resolve('firebase/package.json'));
const CDN = 'https://www.gstatic.com/firebasejs/';
/** The modules of the library on which the package's functions for passkeys depend. */
const WEBAUTHN = join(import.meta.dirname, '../../node_modules/@simplewebauthn/browser/esm');

/** The action of a button of the app. */
export type AppAction =
  | 'signInWithPopup'
  | 'linkWithPopup'
  | 'reauthenticateWithPopup'
  | 'signInWithRedirect'
  | 'linkWithRedirect'
  | 'reauthenticateWithRedirect'
  | 'startHostedSignIn'
  | 'signInWithHostedPopup'
  | 'signInAnonymously'
  | 'signOut';

/** The result that the app shows after an action, or after the page was loaded. */
export interface AppResult {
  /** `null` until the first action ends; `load` for the result of a redirect. */
  readonly action: AppAction | 'load' | null;
  /** The code of the error; `null` for success. */
  readonly error: string | null;
  readonly uid: string | null;
  readonly email: string | null;
  readonly providers: readonly string[];
  readonly operation: string | null;
  readonly isNewUser: boolean | null;
  /** The profile of the user at the provider. */
  readonly profileId: string | null;
  readonly hasCredential: boolean;
}

/** How the app finds the server. */
export interface PopupAppOptions {
  readonly serverUrl: string;
  /** Whether the app loads the script of the server before the SDK. */
  readonly hasShim?: boolean;
  readonly providerId?: string;
  readonly apiKey?: string;
  /** The address of a provider on this machine, whose pages may load what they need. */
  readonly providerUrl?: string;
  /** The host of the app, `localhost` unless given. Browsers regard the other one as another site. */
  readonly host?: 'localhost' | '127.0.0.1';
  /** A certificate with which the app is of the same site as a server with TLS. Without one, the app has no TLS. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /**
   * How the app is connected: as to the official emulator (the default), by the package of this server, or by the
   * script of this server for the compat build.
   */
  readonly by?: 'connectAuthEmulator' | 'hearthAuth' | 'init.js';
  /** Whether popups use the resolver of the SDK even if the package of this server has its own. */
  readonly usesStockResolver?: boolean;
  /** The tenant of the app, if any. */
  readonly tenantId?: string;
}

/** The program of the app. It uses the SDK as the documentation shows, and nothing else. */
function appPage({
  serverUrl,
  hasShim = true,
  providerId = 'google.com',
  apiKey = 'any',
  by = 'connectAuthEmulator',
  usesStockResolver = false,
  tenantId,
}: PopupAppOptions): string {
  const base = `${CDN}test`;
  return `<!doctype html>
<html lang="en"><title>App</title><body>
${hasShim ? `<script src="${serverUrl}/__/auth/shim.js"></script>` : ''}
${
  by === 'init.js'
    ? `<script src="${base}/firebase-app-compat.js"></script>
<script src="${base}/firebase-auth-compat.js"></script>
<script src="${serverUrl}/__/firebase/init.js?key=${apiKey}"></script>`
    : ''
}
<output></output>
<script type="importmap">{"imports":{"firebase/app":"${base}/firebase-app.js",
"firebase/auth":"${base}/firebase-auth.js","firebase/database":"${base}/firebase-database.js",
"@simplewebauthn/browser":"/client/webauthn/index.js"}}</script>
<script type="module">
import { initializeApp } from '${base}/firebase-app.js';
import * as sdk from '${base}/firebase-auth.js';
${connect(by, serverUrl, apiKey)}
auth.tenantId = ${JSON.stringify(tenantId ?? null)};
// These are global for functions that a test runs in the page.
Object.assign(window, { sdk, auth });
const resolver = ${usesStockResolver} ? [sdk.browserPopupRedirectResolver] : [];
const providerClass = '${classOf(providerId)}';
const Provider = sdk[providerClass];
const provider = isCompat ? new firebase.auth[providerClass]('${providerId}') : new Provider('${providerId}');
const first = { signInWithPopup: auth, signInWithRedirect: auth };
async function run(action, work) {
  document.querySelector('output').textContent = '';
  let result = null, error = null;
  try { result = await work(); } catch (problem) { error = problem.code ?? String(problem); }
  const user = auth.currentUser;
  const about = result?.additionalUserInfo ?? (result?.user && !isCompat ? sdk.getAdditionalUserInfo(result) : null);
  const credential = result?.user && !isCompat ? Provider.credentialFromResult(result) : (result?.credential ?? null);
  document.querySelector('output').textContent = JSON.stringify({
    action, error, uid: user?.uid ?? null, email: user?.email ?? null,
    providers: (user?.providerData ?? []).map((one) => one.providerId),
    operation: result?.operationType ?? null, isNewUser: about?.isNewUser ?? null,
    profileId: about?.profile?.id ?? about?.profile?.sub ?? null, hasCredential: credential !== null,
  });
}
for (const action of ['signInWithPopup', 'linkWithPopup', 'reauthenticateWithPopup', 'signInWithRedirect',
  'linkWithRedirect', 'reauthenticateWithRedirect', 'startHostedSignIn', 'signInWithHostedPopup', 'signInAnonymously', 'signOut']) {
  const button = document.body.appendChild(document.createElement('button'));
  button.textContent = action;
  button.onclick = () => run(action, () => action.includes('Hosted') ? hosted[action](auth) :
    action.startsWith('signInAnon') || action === 'signOut'
      ? call(auth, action)
      : call(first[action] ?? auth.currentUser, action, provider, ...resolver));
}
await (isCompat ? new Promise((resolve) => auth.onAuthStateChanged(resolve)) : auth.authStateReady());
await run('load', async () => (await hosted.finishHostedSignIn(auth)) ?? call(auth, 'getRedirectResult', ...resolver));
</script></body></html>`;
}

/** Returns the name of the SDK's class for a provider. */
function classOf(providerId: string): string {
  if (providerId === 'google.com') return 'GoogleAuthProvider';
  return providerId.startsWith('saml.') ? 'SAMLAuthProvider' : 'OAuthProvider';
}

/** Returns the statements that create `auth`, and `call`, which calls a function of the SDK for an Auth or a user. */
function connect(by: PopupAppOptions['by'], serverUrl: string, apiKey: string): string {
  if (by === 'init.js')
    return `const isCompat = true, auth = firebase.auth();
const hosted = { finishHostedSignIn: async () => null };
const call = (object, name, ...values) => object[name](...values);`;
  const start = `const isCompat = false;
const app = initializeApp({ apiKey: '${apiKey}', projectId: 'demo', authDomain: 'demo.firebaseapp.com' });
const call = (object, name, ...values) => sdk[name](object, ...values);`;
  return by === 'hearthAuth'
    ? `${start}
import { hearthAuth } from '/client/index.ts';
import * as hosted from '/client/hosted/index.ts';
const auth = hearthAuth(app, '${serverUrl}');`
    : `${start}
const hosted = { finishHostedSignIn: async () => null };
const auth = sdk.getAuth(app);
sdk.connectAuthEmulator(auth, '${serverUrl}', { disableWarnings: true });`;
}

/** A page with an app that uses the official SDK, in a browser that reaches no host but this machine. */
export class PopupApp {
  readonly page: Page;
  /** Addresses that the browser requested from other hosts; each was answered with an error. */
  readonly foreignRequests: readonly string[];

  private constructor(page: Page, foreignRequests: readonly string[]) {
    this.page = page;
    this.foreignRequests = foreignRequests;
  }

  /** Opens the app and waits until it has loaded. It closes when the running test ends. */
  static async open(context: BrowserContext, options: PopupAppOptions): Promise<PopupApp> {
    context.setDefaultTimeout(PAGE_WITHIN_MS);
    const answer: RequestListener = async ({ url = '' }, response) => {
      const isModule = url.startsWith('/client/');
      const type = isModule ? 'text/javascript' : 'text/html; charset=utf-8';
      response.writeHead(200, { 'content-type': type });
      response.end(isModule ? await readClient(url) : appPage(options));
    };
    const { certificate, host = 'localhost' } = options;
    const server = certificate === undefined ? createServer(answer) : createTlsServer(certificate, answer);
    const url = `${certificate === undefined ? 'http' : 'https'}://${host}:${await listen(server)}/`;
    const foreignRequests: string[] = [];
    await context.route(
      ({ hostname }) => hostname !== 'localhost' && hostname !== '127.0.0.1',
      async (route) => {
        const address = route.request().url();
        if (!address.startsWith(CDN)) {
          // The page of the test's own provider loads a font.
          if (
            !route
              .request()
              .frame()
              .url()
              .startsWith(options.providerUrl ?? 'none:')
          )
            foreignRequests.push(address);
          return route.abort();
        }
        const body = await readSdk(address.slice(address.lastIndexOf('/') + 1));
        return route.fulfill({
          body,
          contentType: 'text/javascript',
          headers: { 'access-control-allow-origin': '*' },
        });
      },
    );
    const page = await context.newPage();
    onTestFinished(async () => {
      await context.close();
      server.closeAllConnections();
      server.close();
    });
    await page.goto(url);
    const app = new PopupApp(page, foreignRequests);
    await app.result('load');
    return app;
  }

  /** Opens the app in another tab of the same browser. */
  async openTab(): Promise<PopupApp> {
    const page = await this.page.context().newPage();
    await page.goto(this.page.url());
    const app = new PopupApp(page, this.foreignRequests);
    await app.result('load');
    return app;
  }

  /**
   * Runs the text of an async function in the page. It may use `sdk` and `auth`. Returns its result, or the code of its
   * error.
   */
  evaluate(body: string): Promise<unknown> {
    return this.page.evaluate(`(async () => { ${body} })().catch((error) => error.code ?? String(error))`);
  }

  /** Presses a button. */
  async start(action: AppAction): Promise<void> {
    await this.page.getByRole('button', { name: action, exact: true }).click();
  }

  /** Presses a button that opens a popup. Resolves to the popup. */
  async openPopup(action: AppAction): Promise<Page> {
    const popup = this.page.waitForEvent('popup');
    await this.start(action);
    return popup;
  }

  /** Presses a button, and resolves to the result of the action. */
  async run(action: AppAction): Promise<AppResult> {
    await this.start(action);
    return this.result(action);
  }

  /** Resolves when the app shows the result of an action. */
  async result(action: AppAction | 'load'): Promise<AppResult> {
    const output = this.page.locator('output', { hasText: `"action":"${action}"` });
    const result = parseJson((await output.textContent()) ?? '');
    if (!isJsonObject(result)) throw new Error('The app shows no result.');
    return result as unknown as AppResult;
  }
}

/** Returns a file of the SDK as Google's servers send it, with the address of the app module of this test. */
async function readSdk(name: string): Promise<string> {
  const text = await readFile(join(SDK, name), 'utf8');
  return text.replaceAll(/https:\/\/www\.gstatic\.com\/firebasejs\/[\d.]+\//g, `${CDN}test/`);
}

/** Returns a module of Hearth's client package, without its types. */
async function readClient(url: string): Promise<string> {
  const name = url.slice('/client/'.length).replace('..', '');
  if (name.startsWith('webauthn/')) return readFile(join(WEBAUTHN, name.slice('webauthn/'.length)), 'utf8');
  const source = await readFile(join(import.meta.dirname, '../../packages/client/src', name), 'utf8');
  return stripTypeScriptTypes(source);
}

/** Binds to a port of loopback and returns it. */
async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** Fills in the page that a development server shows in place of the page of a provider. */
export async function inventUser(page: Page, email: string, name = 'Alice'): Promise<void> {
  await page.getByLabel('Email address (optional)').fill(email);
  await page.getByLabel('Name (optional)').fill(name);
  await page.getByRole('button', { name: 'Sign in as a new user' }).click();
}
