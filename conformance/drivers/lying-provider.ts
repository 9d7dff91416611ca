import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { discoveryOf } from '../../scripts/oidc-discovery.ts';
import { CLIENT } from './oidc-server.ts';

/** What the provider does wrong in the next sign-in. */
export type ProviderFault =
  /** The page of the provider never ends. */
  | 'no page'
  /** The provider never answers the server that exchanges the code. */
  | 'no token'
  /** The provider shows a page with a link, and then answers the server after `SLOW_MS`. */
  | 'slow token'
  | 'another state'
  /** The response names another provider. */
  | 'another provider'
  | 'another issuer'
  | 'another app'
  | 'another key'
  | 'another nonce'
  | 'no nonce'
  /** The clock of the provider is an hour behind. */
  | 'late clock'
  /** The clock of the provider is an hour ahead. */
  | 'early clock';

/**
 * An OpenID provider on this machine. It has one user, whom it signs in without a page, and breaks the protocol on
 * request.
 */
export interface LyingProvider {
  readonly issuer: string;
  /** `undefined` for an honest sign-in. */
  fault: ProviderFault | undefined;
  /** Resolves when the server asks for the token of the next code. */
  untilTokenRequest(): Promise<void>;
  close(): void;
}

const SLOW_MS = 4_000;
const HOUR_SEC = 3_600;

/** Starts the provider. `user` is the subject of its only user. */
export async function openLyingProvider(user: string): Promise<LyingProvider> {
  const [own, foreign] = [newKey(), newKey()];
  const nonces = new Map<string, string>();
  const waiting: (() => void)[] = [];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const provider: LyingProvider = {
    issuer,
    fault: undefined,
    untilTokenRequest: () => new Promise((resolve) => waiting.push(resolve)),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    if (provider.fault === 'no page') {
      response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Provider</title>');
      return;
    }
    const code = createHash('sha256').update(String(nonces.size)).digest('base64url');
    nonces.set(code, query.get('nonce') ?? '');
    const location = new URL(query.get('redirect_uri') ?? '');
    const state = query.get('state') ?? '';
    const iss = provider.fault === 'another provider' ? 'https://evil.example' : issuer;
    const sent = provider.fault === 'another state' ? `${state}x` : state;
    for (const [name, value] of Object.entries({ code, state: sent, iss }))
      location.searchParams.set(name, value);
    if (provider.fault !== 'slow token') {
      response.writeHead(303, { location: location.href }).end();
      return;
    }
    const href = location.href.replaceAll('&', '&amp;');
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<a href="${href}">Continue</a>`);
  }

  async function exchange(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const { fault } = provider;
    for (const resolve of waiting.splice(0)) resolve();
    if (fault === 'no token') return;
    if (fault === 'slow token') await setTimeout(SLOW_MS);
    const late = fault === 'late clock' ? -HOUR_SEC : fault === 'early clock' ? HOUR_SEC : 0;
    const nowSec = Math.floor(Date.now() / 1_000) + late;
    const nonce = fault === 'another nonce' ? 'another' : nonces.get(form.get('code') ?? '');
    const claims = {
      iss: fault === 'another issuer' ? 'https://evil.example' : issuer,
      aud: fault === 'another app' ? 'another' : CLIENT.id,
      sub: user,
      email: `${user}@example.com`,
      iat: nowSec,
      exp: nowSec + 600,
      ...(fault === 'no nonce' ? {} : { nonce }),
    };
    const key = fault === 'another key' ? foreign : own;
    send(response, {
      access_token: 'access',
      token_type: 'bearer',
      expires_in: 600,
      id_token: key.sign(claims),
    });
  }

  server.on('request', async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return send(response, {
          ...discoveryOf(issuer),
          authorization_response_iss_parameter_supported: true,
        });
      case '/keys':
        return send(response, { keys: [own.jwk] });
      case '/authorize':
        return authorize(searchParams, response);
      case '/token':
        return exchange(new URLSearchParams(body), response);
      default:
        return response.writeHead(404).end();
    }
  });
  return provider;
}

function send(response: ServerResponse, json: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json));
}

/**
 * Creates a key. All keys have the same ID, so that a verifier finds the published key for a signature by another one.
 */
function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const header = encode({ alg: 'RS256', kid: 'only', typ: 'JWT' });
  return {
    jwk: { ...publicKey.export({ format: 'jwk' }), kid: 'only', alg: 'RS256', use: 'sig' },
    sign(claims: object): string {
      const content = `${header}.${encode(claims)}`;
      return `${content}.${sign('sha256', Buffer.from(content), privateKey).toString('base64url')}`;
    },
  };
}

function encode(json: object): string {
  return Buffer.from(JSON.stringify(json)).toString('base64url');
}
