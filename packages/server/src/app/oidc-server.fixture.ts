import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration, type JWK } from 'oidc-provider';
import { onTestFinished } from 'vitest';

/** The client of the app. */
export const OIDC_CLIENT = { id: 'shop', secret: 'a secret of the client' };
/** The address to which the provider redirects the user. No server listens there. */
export const CALLBACK = 'http://localhost:9/callback';

/** An OpenID provider on loopback. It has no login page: it signs in the user that the test names. */
export interface OidcServer {
  readonly issuer: string;
  /** Obtains an ID token by the authorization code flow with PKCE, as an app does. */
  issueIdToken(accountId: string, nonce?: string): Promise<string>;
  /**
   * Signs in at an address of the provider as a user does, and returns the address to which the provider redirected the
   * user.
   */
  signIn(accountId: string, address: string): Promise<URL>;
}

/** Starts a provider, and stops it when the test finishes. */
export async function openOidcServer(): Promise<OidcServer> {
  let serve: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined;
  const server = createServer((request, response) => serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, configuration());
  let signedInAs = '';
  const answer = provider.callback();
  serve = (request, response) =>
    request.url?.startsWith('/interaction/') === true
      ? finishInteraction(provider, request, response, signedInAs)
      : answer(request, response);
  return {
    issuer,
    issueIdToken: (accountId, nonce) => {
      signedInAs = accountId;
      return runCodeFlow(issuer, nonce);
    },
    signIn: (accountId, address) => {
      signedInAs = accountId;
      return follow(new URL(address));
    },
  };
}

function configuration(): Configuration {
  const key: JWK = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    format: 'jwk',
  }) as JWK;
  return {
    clients: [
      {
        client_id: OIDC_CLIENT.id,
        client_secret: OIDC_CLIENT.secret,
        redirect_uris: [CALLBACK],
        token_endpoint_auth_method: 'client_secret_post',
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [{ ...key, kid: 'key-1', use: 'sig', alg: 'ES256' }] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Puts the claims of the user into the ID token.
    conformIdTokenClaims: false,
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        email: `${accountId}@example.com`,
        email_verified: true,
        name: accountId,
      }),
    }),
    cookies: { keys: ['key of the cookies'] },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false } },
  };
}

/** Signs in the user, or gives the consent that the provider asks for. */
async function finishInteraction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  accountId: string,
): Promise<void> {
  const { prompt, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, { login: { accountId } });
  const grant = new provider.Grant({ accountId: session?.accountId ?? accountId, clientId: OIDC_CLIENT.id });
  grant.addOIDCScope('openid email profile');
  return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
}

async function runCodeFlow(issuer: string, nonce: string | undefined): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const start = new URL('/auth', issuer);
  start.search = new URLSearchParams({
    client_id: OIDC_CLIENT.id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(nonce === undefined ? {} : { nonce }),
  }).toString();
  const code = (await follow(start)).searchParams.get('code') ?? '';
  const answer = await fetch(new URL('/token', issuer), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      client_id: OIDC_CLIENT.id,
      client_secret: OIDC_CLIENT.secret,
      code_verifier: verifier,
    }),
  });
  const json: unknown = await answer.json();
  const idToken: unknown = Object(json)['id_token'];
  if (typeof idToken !== 'string')
    throw new Error(`The provider issued no ID token: ${JSON.stringify(json)}`);
  return idToken;
}

const MAX_REDIRECTS = 10;

/** Follows redirects with cookies until one leads to the callback. */
async function follow(start: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let count = 0; count < MAX_REDIRECTS && !url.href.startsWith(CALLBACK); count += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
    url = new URL(location, url);
  }
  return url;
}
