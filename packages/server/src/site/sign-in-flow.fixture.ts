import { createMemoryServer } from '../app/memory-server.fixture.ts';
import { bodyBudget } from '../auth/api/auth-client.fixture.ts';
import { AuthApiBodies } from '../auth/api/body.ts';
import { configure, openProviderTestBed, reply } from '../auth/providers/fake-provider.fixture.ts';
import { openLoopbackClient } from '../http/loopback-client.fixture.ts';
import { PARAMETERS_MARK } from '../http/static-pages.ts';
import { LOCAL_TRANSPORT } from '../http/transport.ts';
import { HostedPages } from './hosted-pages.ts';

const PAGE = `<script type="application/json">${PARAMETERS_MARK}</script>`;
export const HANDLER = '/__/auth/handler';
export const PROVIDER = 'https://id.example';
export const START = {
  apiKey: 'any',
  appName: '[DEFAULT]',
  authType: 'signInViaPopup',
  redirectUrl: 'http://localhost:3000/page',
  eventId: '123',
  providerId: 'oidc.work',
};
export const ANN = { sub: '7', email: 'ann@example.com', email_verified: true, name: 'Ann' };

export type Json = Readonly<Record<string, unknown>>;

/** The part of the page's content that the tests use. */
export interface Shown {
  readonly kind: string;
  readonly problem?: string;
  /** The address to which the page sends the browser after a redirect. */
  readonly address?: string;
  readonly event?: {
    readonly type: string;
    readonly eventId: string;
    readonly urlResponse: string;
    readonly sessionId: string;
    readonly error?: { readonly code: string };
  };
}

function shownIn(body: string): Shown {
  return (JSON.parse(body.replace(/<[^>]*>/g, '')) as { readonly page: Shown }).page;
}

/** Opens the pages of a server outside development mode, in a project that uses a provider. */
export async function openFlows({ isSecure = false, network = 'n', issuer = PROVIDER } = {}) {
  const { client, provider } = await openProviderTestBed(issuer);
  // The library that reads the response compares times with the clock of the machine.
  client.clock.ms = Date.now();
  await configure(client, 'oidc.work', { clientSecret: 'secret', responseType: { code: true } });
  const hostedPages = new HostedPages({
    services: client.services,
    transport: {
      ...LOCAL_TRANSPORT,
      isSecure,
      originOf: () => 'https://auth.example',
      networkOfClient: () => network,
    },
    pages: { html: PAGE, assets: new Map() },
    signInPages: { handler: PAGE, hosted: PAGE, frame: PAGE, shim: undefined },
    bodies: new AuthApiBodies({ budget: bodyBudget() }),
    allowedHosts: [],
    clientPackage: undefined,
    mailbox: null,
    phone: null,
    defaultProject: null,
  });
  const { server, serve } = await createMemoryServer({ hostedPages });
  serve();
  const http = await openLoopbackClient(server);
  const get = (query: Json, cookie?: string, path = HANDLER) =>
    http.send({
      method: 'GET',
      url: `${path}?${new URLSearchParams(query as Record<string, string>)}`,
      headers: { host: 'localhost:9000', ...(cookie === undefined ? {} : { cookie }) },
    });
  /** Sends a form to the handler, as a page of the provider does. */
  const post = (form: Json, cookie?: string) =>
    http.send({
      method: 'POST',
      url: HANDLER,
      headers: {
        host: 'localhost:9000',
        'content-type': 'application/x-www-form-urlencoded',
        ...(cookie === undefined ? {} : { cookie }),
      },
      body: new URLSearchParams(form as Record<string, string>).toString(),
    });
  const tokenRequests: URLSearchParams[] = [];
  /** Makes the provider issue an ID token with these claims for the next code. */
  function issue(claims: Json, ...signed: readonly Parameters<typeof provider.sign>[1][]): void {
    const nowSec = Math.floor(client.clock.ms / 1_000);
    provider.answers.set(`${issuer}/token`, async ({ body }) => {
      tokenRequests.push(new URLSearchParams(body ?? ''));
      const idToken = await provider.sign({ iat: nowSec, exp: nowSec + 600, ...claims }, ...signed);
      return reply({ access_token: 'access', token_type: 'bearer', expires_in: 60, id_token: idToken });
    });
  }
  /** Starts a flow. Returns the parameters that the provider gets, and the cookie. */
  async function start(change: Json = {}, known?: string) {
    const { status, headers, body } = await get({ ...START, ...change }, known);
    const location = new URL(headers.location ?? 'none:');
    const cookie = String(headers['set-cookie'] ?? '');
    return {
      status,
      location,
      asked: location.searchParams,
      setCookie: cookie,
      body,
      cookie: cookie.split(';')[0],
    };
  }
  /** Returns from the provider. */
  async function finish(query: Json, cookie?: string) {
    const { status, body } = await get(query, cookie);
    return { status, page: shownIn(body) };
  }
  /** Returns from the provider with a form. */
  async function finishByForm(form: Json, cookie?: string) {
    const { status, body } = await post(form, cookie);
    return { status, page: shownIn(body) };
  }
  /** Runs a whole flow in one browser. */
  async function run(change: Json = {}, claims: Json = {}) {
    const { asked, cookie } = await start(change);
    issue({ ...ANN, nonce: asked.get('nonce'), ...claims });
    return finish({ code: 'c0de', state: asked.get('state') }, cookie);
  }
  /** Uses a result as the SDK does. */
  function use(page: Shown, change: Json = {}) {
    const { urlResponse, sessionId } = page.event ?? {};
    return client.post('accounts:signInWithIdp', { requestUri: urlResponse, sessionId, ...change });
  }
  return { client, provider, http, get, post, start, finish, finishByForm, run, issue, use, tokenRequests };
}
