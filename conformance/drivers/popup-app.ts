import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { onTestFinished } from 'vitest';
import { isJsonObject, parseJson } from './json.ts';

const SDK = dirname(createRequire(import.meta.url).resolve('firebase/package.json'));
const CDN = 'https://www.gstatic.com/firebasejs/';

/** What a button of the app does. */
export type AppAction =
  | 'signInWithPopup'
  | 'linkWithPopup'
  | 'reauthenticateWithPopup'
  | 'signInWithRedirect'
  | 'linkWithRedirect'
  | 'reauthenticateWithRedirect'
  | 'signInAnonymously'
  | 'signOut';

/** What the app shows after an action, or after it was loaded. */
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
}

/** The program of the app. It uses the SDK as the documentation shows, and nothing else. */
function appPage({
  serverUrl,
  hasShim = true,
  providerId = 'google.com',
  apiKey = 'any',
}: PopupAppOptions): string {
  const base = `${CDN}test`;
  return `<!doctype html>
<html lang="en"><title>App</title><body>
${hasShim ? `<script src="${serverUrl}/__/auth/shim.js"></script>` : ''}
<output></output>
<script type="module">
import { initializeApp } from '${base}/firebase-app.js';
import * as sdk from '${base}/firebase-auth.js';
const app = initializeApp({ apiKey: '${apiKey}', projectId: 'demo', authDomain: 'demo.firebaseapp.com' });
const auth = sdk.getAuth(app);
sdk.connectAuthEmulator(auth, '${serverUrl}', { disableWarnings: true });
const google = '${providerId}' === 'google.com';
const Provider = google ? sdk.GoogleAuthProvider : sdk.OAuthProvider;
const provider = google ? new sdk.GoogleAuthProvider() : new sdk.OAuthProvider('${providerId}');
const first = { signInWithPopup: auth, signInWithRedirect: auth };
async function run(action, work) {
  document.querySelector('output').textContent = '';
  let result = null, error = null;
  try { result = await work(); } catch (problem) { error = problem.code ?? String(problem); }
  const user = auth.currentUser;
  const about = result?.user ? sdk.getAdditionalUserInfo(result) : null;
  const credential = result?.user ? Provider.credentialFromResult(result) : null;
  document.querySelector('output').textContent = JSON.stringify({
    action, error, uid: user?.uid ?? null, email: user?.email ?? null,
    providers: (user?.providerData ?? []).map((one) => one.providerId),
    operation: result?.operationType ?? null, isNewUser: about?.isNewUser ?? null,
    profileId: about?.profile?.id ?? about?.profile?.sub ?? null, hasCredential: credential !== null,
  });
}
for (const action of ['signInWithPopup', 'linkWithPopup', 'reauthenticateWithPopup', 'signInWithRedirect',
  'linkWithRedirect', 'reauthenticateWithRedirect', 'signInAnonymously', 'signOut']) {
  const button = document.body.appendChild(document.createElement('button'));
  button.textContent = action;
  button.onclick = () => run(action, () =>
    action.startsWith('signInAnon') || action === 'signOut'
      ? sdk[action](auth)
      : sdk[action](first[action] ?? auth.currentUser, provider));
}
await auth.authStateReady();
await run('load', () => sdk.getRedirectResult(auth));
</script></body></html>`;
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
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(appPage(options));
    });
    const url = await listenAsLocalhost(server);
    const foreignRequests: string[] = [];
    await context.route(
      ({ hostname }) => hostname !== 'localhost' && hostname !== '127.0.0.1',
      async (route) => {
        const address = route.request().url();
        if (!address.startsWith(CDN)) {
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
    const result = parseJson((await output.textContent({ timeout: 60_000 })) ?? '');
    if (!isJsonObject(result)) throw new Error('The app shows no result.');
    return result as unknown as AppResult;
  }
}

/** Returns a file of the SDK as Google's servers send it, with the address of the app module of this test. */
async function readSdk(name: string): Promise<string> {
  const text = await readFile(join(SDK, name), 'utf8');
  return text.replaceAll(/https:\/\/www\.gstatic\.com\/firebasejs\/[\d.]+\//g, `${CDN}test/`);
}

async function listenAsLocalhost(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://localhost:${typeof address === 'object' ? address?.port : ''}/`;
}

/** Fills in the page on which a development server takes the place of the provider. */
export async function inventUser(page: Page, email: string, name = 'Alice'): Promise<void> {
  await page.getByLabel('Email address (optional)').fill(email);
  await page.getByLabel('Name (optional)').fill(name);
  await page.getByRole('button', { name: 'Sign in as a new user' }).click();
}
