import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { discoveryOf } from '../../../scripts/oidc-discovery.ts';
import { flood, pause } from '../attack/tools.ts';
import { HttpClient } from '../network/http.ts';
import type { Target } from '../network/target.ts';
import type { Hearth } from '../server/hearth.ts';
import type { Attack, Scenario } from './scenario.ts';
import { checkServed, watchUsers } from './users.ts';
import { WITHOUT_GIVING_WAY } from './without.ts';

const APP_PAGE = 'https://app.example/';
const HANDLER = '/__/auth/handler';
const PROVIDER = 'oidc.slow';

/** A code for which the provider never answers. It rejects every other code at once. */
const SILENT_CODE = 'silent';

/** Starts an OpenID provider. Returns its address. */
async function startProvider(): Promise<string> {
  const server = createServer((request, response) => {
    const answer = (status: number, json: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    if (request.url === '/.well-known/openid-configuration') answer(200, discoveryOf(issuer));
    else if (request.url === '/keys') answer(200, { keys: [] });
    else {
      let form = '';
      request.on('data', (part: Buffer) => {
        form += part.toString();
      });
      request.on('end', () => {
        if (new URLSearchParams(form).get('code') !== SILENT_CODE) answer(400, { error: 'invalid_grant' });
      });
    }
  });
  // Neither the provider nor its connections keep this process alive.
  server.unref().on('connection', (socket) => socket.unref());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function configureProvider(hearth: Hearth): Promise<void> {
  const project = `/v2/projects/${hearth.target.projectId}`;
  await hearth.administer('PATCH', `${project}/config?updateMask=authorizedDomains`, {
    authorizedDomains: ['app.example'],
  });
  await hearth.administer('POST', `${project}/oauthIdpConfigs?oauthIdpConfigId=${PROVIDER}`, {
    enabled: true,
    issuer: await startProvider(),
    clientId: 'client',
    clientSecret: 'secret',
    responseType: { code: true, idToken: false },
  });
}

/** Begins a redirect, and returns from the provider with a code. Returns what the server did with it. */
async function redirect(client: HttpClient, { apiKey }: Target, code: string): Promise<string> {
  const query = new URLSearchParams({
    apiKey,
    appName: '[DEFAULT]',
    authType: 'signInViaRedirect',
    redirectUrl: APP_PAGE,
    eventId: '1',
    providerId: PROVIDER,
  });
  const begun = await client.ask({ path: `${HANDLER}?${query}` });
  const state = URL.parse(begun.headers.location ?? '')?.searchParams.get('state');
  if (begun.status !== 303 || state == null) return `not begun ${begun.status}`;
  const cookie = begun.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const { status, text } = await client.ask({
    path: `${HANDLER}?${new URLSearchParams({ code, state })}`,
    headers: { cookie },
  });
  return text.includes('tooMany') ? 'too many' : `answered ${status}`;
}

const LANES = 120;
const HOSTS = 10;

/** Returns from the provider with codes that it never answers, while users return with codes that it rejects. */
const returnSilently: Attack = async (target, signal, tally) => {
  void watchUsers(target, signal, tally, 400, async (user) => {
    const outcome = await redirect(user, target, 'wrong');
    // The page that says that the provider has failed.
    return outcome === 'answered 400' ? 400 : 503;
  });
  const clients = Array.from(
    { length: HOSTS },
    (_, host) => new HttpClient(target, { side: 'attacker', host }, LANES / HOSTS),
  );
  await flood(signal, LANES, async (lane, round) => {
    const client = clients[lane % HOSTS];
    if (client === undefined) return;
    // Requests that come at once would be a scenario of their own.
    await pause(round === 0 ? lane * 20 : 500, signal);
    tally.add(await redirect(client, target, SILENT_CODE));
  });
};

/** Attacks on sign-ins that return from a provider. */
export const REDIRECT_SCENARIOS: readonly Scenario[] = [
  {
    name: 'redirects from a provider that does not answer',
    attacker:
      'begins redirects on 120 connections from 10 hosts, and returns with codes about which the provider never answers; users of other hosts return with codes that the provider rejects',
    bound:
      'of the 64 requests to providers for a project, a network causes 16, and the network with the most loses one for others',
    args: ['--allow-private-providers'],
    attackMs: 14_000,
    prepare: configureProvider,
    attack: returnSilently,
    checkCounts: (counts) => [
      ...checkServed(counts),
      ...((counts['too many'] ?? 0) > 0 ? [] : ['The attack did not reach the limit.']),
    ],
    proof: WITHOUT_GIVING_WAY,
  },
];
