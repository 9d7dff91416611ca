import type { KeyObject } from 'node:crypto';
import { type JWTHeaderParameters, SignJWT } from 'jose';
import type { HttpReply, HttpSend, OutgoingRequest } from '../../platform/network/http-send.ts';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { takeRsaKeyPair } from '../tokens/rsa-key-pairs.fixture.ts';
import { ProviderFailure } from './provider-requests.ts';

type Json = Readonly<Record<string, unknown>>;
type Answer = (request: OutgoingRequest, url: URL) => HttpReply | Promise<HttpReply>;

export function reply(body: unknown, status = 200): HttpReply {
  return { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
}

/** An OpenID provider that answers requests without a network. */
export class FakeProvider {
  readonly issuer: string;
  /** The answer of each address. Tests change it. */
  readonly answers = new Map<string, Answer>();
  /** The addresses that were requested. */
  readonly requested: string[] = [];
  keyId = 'key-1';
  #pair = takeRsaKeyPair();

  constructor(issuer = 'https://id.example') {
    this.issuer = issuer;
    this.answers.set(`${issuer}/.well-known/openid-configuration`, () => reply(this.discovery()));
    this.answers.set(`${issuer}/keys`, () => reply({ keys: [this.publicKey()] }));
  }

  readonly send: HttpSend = async (url, request) => {
    const address = `${url.origin}${url.pathname}`;
    this.requested.push(address);
    const answer = this.answers.get(address);
    if (answer === undefined) throw new ProviderFailure(`${url.host} cannot be reached: unknown host`);
    return answer(request, url);
  };

  discovery(): Json {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    };
  }

  publicKey(): Json {
    return { ...this.#pair.publicKey.export({ format: 'jwk' }), kid: this.keyId, alg: 'RS256', use: 'sig' };
  }

  get privateKey(): KeyObject {
    return this.#pair.privateKey;
  }

  /** Replaces the key with which the provider signs. */
  rotate(keyId: string): void {
    this.keyId = keyId;
    this.#pair = takeRsaKeyPair();
  }

  /** Signs an ID token for the client `shop`, with other claims if given. A claim that is `undefined` is left out. */
  sign(
    claims: Json,
    key: KeyObject | Uint8Array = this.#pair.privateKey,
    header: Partial<JWTHeaderParameters> = {},
  ): Promise<string> {
    const nowSec = Math.floor(START_MS / 1_000);
    return new SignJWT({ iss: this.issuer, aud: 'shop', iat: nowSec, exp: nowSec + 3_600, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: this.keyId, ...header })
      .sign(key);
  }
}

/** The time of the test clock at its start. */
const START_MS = 1_700_000_000_000;

/** Opens a client of a server outside development mode, and a fake provider with which the server is connected. */
export async function openProviderTestBed(
  issuer?: string,
): Promise<{ readonly client: AuthClient; readonly provider: FakeProvider }> {
  const provider = new FakeProvider(issuer);
  const client = await AuthClient.open(undefined, { isDevelopment: false, sendToProvider: provider.send });
  client.clock.ms = START_MS;
  return { client, provider };
}

/** Configures a provider of the project. */
export async function configure(client: AuthClient, providerId: string, change: Json = {}): Promise<void> {
  const isCustom = providerId.startsWith('oidc.');
  const url = isCustom
    ? `/v2/projects/demo/oauthIdpConfigs?oauthIdpConfigId=${providerId}`
    : `/v2/projects/demo/defaultSupportedIdpConfigs?idpId=${providerId}`;
  const issuer = isCustom ? { issuer: 'https://id.example' } : {};
  const body = { enabled: true, clientId: 'shop', ...issuer, ...change };
  const headers = { authorization: 'Bearer owner' };
  const answer = await client.request('POST', url, JSON.stringify(body), headers);
  if (answer.status !== 200) throw new Error(`The provider was not configured: ${answer.text}`);
}
