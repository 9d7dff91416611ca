import * as oidc from 'openid-client';
import type { HttpSend } from '../../platform/network/http-send.ts';
import { assertionOfAccessToken } from '../providers/access-token.ts';
import type { ProviderAssertion, ProviderTokens } from '../providers/assertion.ts';
import { assertionFromProfile } from '../providers/claims-assertion.ts';
import { verifyProviderIdToken } from '../providers/oidc-token.ts';
import { findPreset, OPENID_CLAIMS, type Preset } from '../providers/presets.ts';
import type { OidcConfig, PresetConfig, ProviderConfig, SamlConfig } from '../providers/provider-config.ts';
import { requireProviderUrl } from '../providers/provider-requests.ts';
import { openClientSecret } from '../providers/provider-secret.ts';
import type { RequestCause } from '../providers/request-shares.ts';
import { clientIdsOf, expectationOf } from '../providers/verified-credential.ts';
import type { AuthServices } from '../services.ts';
import { projectScope } from '../tenants/scope.ts';
import type { ProviderOptions } from './start-request.ts';

export type ProviderClientServices = Pick<AuthServices, 'providers' | 'secretBox' | 'clock'>;

/** A provider with which users sign in by a code that the server exchanges. */
export type CodeProvider = OidcConfig | PresetConfig;

/** Returns the configuration if the provider returns a code that the server can exchange. */
export function findCodeProvider(config: Exclude<ProviderConfig, SamlConfig>): CodeProvider | undefined {
  if (config.kind === 'oidc') return config.responseType === 'code' ? config : undefined;
  const preset = findPreset(config.providerId);
  const isOffered = preset?.protocol.kind !== 'oauth1' && !preset?.quirks.includes('apple-secret');
  return preset !== undefined && isOffered ? config : undefined;
}

/** The secrets of a flow, and where it returns to. */
export interface FlowSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/** Returns the address at which the user signs in. Rejects if the provider cannot be reached or is not valid. */
export async function authorizationUrl(
  services: ProviderClientServices,
  cause: RequestCause,
  config: CodeProvider,
  options: ProviderOptions,
  { state, nonce, codeVerifier, redirectUri }: FlowSecrets,
): Promise<URL> {
  const client = await openClient(services, cause, config);
  const preset = findPreset(config.providerId);
  const scopes = new Set([...(preset?.scopes ?? ['openid', 'email', 'profile']), ...options.scopes]);
  const hasIdToken = expectationOf(config, undefined) !== undefined;
  return oidc.buildAuthorizationUrl(client, {
    ...options.parameters,
    redirect_uri: redirectUri,
    scope: [...scopes].join(' '),
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(hasIdToken ? { nonce } : {}),
  });
}

/**
 * Exchanges the code in the address to which the provider returned, and returns what the provider states. Rejects with an
 * `AuthorizationResponseError` if the provider reports an error, and with other errors if the response is not valid.
 */
export async function redeemCode(
  services: ProviderClientServices,
  cause: RequestCause,
  config: CodeProvider,
  returnedTo: URL,
  { state, nonce, codeVerifier }: FlowSecrets,
): Promise<ProviderAssertion> {
  const client = await openClient(services, cause, config);
  const expected = expectationOf(config, nonce);
  const grant = await oidc.authorizationCodeGrant(client, returnedTo, {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    ...(expected === undefined ? {} : { expectedNonce: nonce, idTokenExpected: true }),
  });
  const { access_token: accessToken, id_token: idToken } = grant;
  const preset = findPreset(config.providerId);
  if (expected === undefined || idToken === undefined) {
    if (preset === undefined) throw new Error('Bug: a provider without a preset issues ID tokens.');
    const { clientId } = config;
    const clientSecret = openClientSecret(services.secretBox, projectScope(cause.projectId), config);
    const clientIds = clientIdsOf(config);
    const send = services.providers.requests.sendFor(cause);
    return assertionOfAccessToken(send, { preset, accessToken, clientIds, clientId, clientSecret });
  }
  const { documents } = services.providers;
  const claims = await verifyProviderIdToken(documents, idToken, expected, services.clock.nowMs());
  const mapping = preset?.profile ?? OPENID_CLAIMS;
  return assertionFromProfile({ providerId: config.providerId, mapping }, claims, tokensOf(grant));
}

/** Longest token of a provider that is passed to the app, in characters. */
const MAX_TOKEN_LENGTH = 16_384;

function tokensOf(grant: oidc.TokenEndpointResponse): ProviderTokens {
  const short = (token: string | undefined) =>
    token === undefined || token.length > MAX_TOKEN_LENGTH ? undefined : token;
  const [idToken, accessToken, refreshToken] = [grant.id_token, grant.access_token, grant.refresh_token].map(
    short,
  );
  return {
    ...(idToken === undefined ? {} : { idToken }),
    ...(accessToken === undefined ? {} : { accessToken }),
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(grant.expires_in === undefined ? {} : { expiresInSec: grant.expires_in }),
  };
}

/** Opens a client of the provider. Its requests go through the guarded `send` of the server. */
async function openClient(
  services: ProviderClientServices,
  cause: RequestCause,
  config: CodeProvider,
): Promise<oidc.Configuration> {
  const { requests, documents } = services.providers;
  const secret = openClientSecret(services.secretBox, projectScope(cause.projectId), config)?.reveal();
  const fetchGuarded = fetchBy(requests.sendFor(cause), (address) => documents.read(address));
  const preset = findPreset(config.providerId);
  if (preset?.protocol.kind === 'oauth2') return oauth2Client(preset, config.clientId, secret, fetchGuarded);
  const issuer = requireProviderUrl(config.kind === 'oidc' ? config.issuer : issuerOf(preset));
  const allowsPlain = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
  const methods = (await documents.read(discoveryAddress(issuer)))['token_endpoint_auth_methods_supported'];
  const byPost = Array.isArray(methods) && methods.includes('client_secret_post');
  return oidc.discovery(issuer, config.clientId, undefined, authentication(secret, byPost), {
    [oidc.customFetch]: fetchGuarded,
    execute: allowsPlain,
  });
}

function discoveryAddress({ href }: URL): string {
  return `${href.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

function issuerOf(preset: Preset | undefined): string {
  if (preset?.protocol.kind !== 'oidc') throw new Error('Bug: the provider has no issuer.');
  return preset.protocol.issuer;
}

function authentication(secret: string | undefined, byPost: boolean): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  return byPost ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
}

function oauth2Client(
  { protocol }: Preset,
  clientId: string,
  secret: string | undefined,
  fetchGuarded: oidc.CustomFetch,
): oidc.Configuration {
  if (protocol.kind !== 'oauth2') throw new Error('Bug: the provider does not use OAuth 2.');
  const { authorizationUrl: authorize, tokenUrl } = protocol;
  const server = {
    issuer: new URL(authorize).origin,
    authorization_endpoint: authorize,
    token_endpoint: tokenUrl,
  };
  const client = new oidc.Configuration(server, clientId, undefined, authentication(secret, true));
  client[oidc.customFetch] = fetchGuarded;
  return client;
}

/** Returns the `fetch` of a client. Discovery documents come from the cache of the server. */
function fetchBy(send: HttpSend, readDocument: (address: string) => Promise<object>): oidc.CustomFetch {
  return async (address, { method, headers, body }) => {
    if (address.includes('/.well-known/')) return Response.json(await readDocument(address));
    const reply = await send(requireProviderUrl(address), {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: { ...headers, 'user-agent': 'hearth' },
      body: body === undefined || body === null ? null : String(body),
    });
    return new Response(reply.body, {
      status: reply.status,
      headers: { 'content-type': 'application/json' },
    });
  };
}
