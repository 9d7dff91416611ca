import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from './test-bed.ts';

const SDK = dirname(createRequire(import.meta.url).resolve('firebase/package.json'));
/** The address at which the files of the SDK for browsers import each other. */
const CDN = /https:\/\/www\.gstatic\.com\/firebasejs\/[\d.]+\//g;

/**
 * Returns the page of an app. It loads the script of the server, unless `hasShim` is false, and then the official SDK.
 * `sdk` and `auth` are global for the functions that a test runs in the page.
 */
function appPage(serverUrl: string, hasShim: boolean): string {
  const { host } = new URL(serverUrl);
  const hosts = JSON.stringify({ apiScheme: 'http', apiHost: host, tokenApiHost: host });
  return `<!doctype html><html lang="en"><title>App</title><body>
${hasShim ? `<script src="${serverUrl}/__/auth/shim.js"></script>` : ''}
<div id="box"></div><button id="button">Send</button>
<script type="module">
import { initializeApp } from './firebase-app.js';
import * as sdk from './firebase-auth.js';
const auth = sdk.initializeAuth(initializeApp({ apiKey: 'any', projectId: 'demo', authDomain: '${host}' }));
Object.assign(auth.config, ${hosts});
Object.assign(window, { sdk, auth });
</script></body></html>`;
}

/** A page of an app in a browser that reaches no host but this machine. */
export interface CaptchaPage {
  readonly page: Page;
  /** Addresses on other hosts that the page requested. */
  readonly foreignRequests: readonly string[];
  /**
   * Runs the text of an async function in the page. It may use `sdk` and `auth`. Returns its result, or the code of its
   * error.
   */
  run(body: string): Promise<unknown>;
}

/** Opens the page of an app, and closes it when the running test ends. */
export async function openCaptchaPage(
  browser: Browser,
  serverUrl: string,
  hasShim: boolean,
): Promise<CaptchaPage> {
  const server = createServer((request, response) => {
    void answer(request.url ?? '/', response, appPage(serverUrl, hasShim));
  });
  const url = await listenOnLoopback(server);
  const page = await browser.newPage();
  onTestFinished(async () => {
    await page.close();
    server.closeAllConnections();
    server.close();
  });
  const foreignRequests: string[] = [];
  await page.route(
    ({ hostname }) => hostname !== '127.0.0.1',
    (route) => {
      foreignRequests.push(route.request().url());
      return route.abort();
    },
  );
  await page.goto(url);
  await page.waitForFunction('"auth" in window');
  return {
    page,
    foreignRequests,
    run: (body) => page.evaluate(`(async () => { ${body} })().catch((error) => error.code ?? String(error))`),
  };
}

async function answer(path: string, response: ServerResponse, page: string): Promise<void> {
  if (!path.endsWith('.js')) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    return;
  }
  const text = await readFile(join(SDK, path), 'utf8');
  response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(text.replace(CDN, './'));
}
