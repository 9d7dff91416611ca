import * as oidc from 'openid-client';
import type { HttpSend } from '../../platform/network/http-send.ts';
import { assertionOfGrantedToken } from '../providers/access-token.ts';
import { withAppleName } from '../providers/apple-user.ts';
import type { ProviderAssertion, ProviderTokens } from '../providers/assertion.ts';
import { assertionFromProfile } from '../providers/claims-assertion.ts';
import { clientSecretOf } from '../providers/client-secret.ts';
import { verifyProviderIdToken } from '../providers/oidc-token.ts';
import { findPreset, OPENID_CLAIMS, type Preset } from '../providers/presets.ts';
import type { OidcConfig, PresetConfig, ProviderConfig, SamlConfig } from '../providers/provider-config.ts';
import { ProviderFailure, requireProviderUrl } from '../providers/provider-requests.ts';
import { clientIdsOf, expectationOf, issuerOf } from '../providers/verified-credential.ts';
import type { AuthServices } from '../services.ts';
import type { AccountScope } from '../tenants/scope.ts';
import type { ProviderOptions } from './start-request.ts';

export type ProviderClientServices = Pick<
  AuthServices,
  'providers' | 'recordStore' | 'secretBox' | 'clock' | 'randomBytes'
>;

/** A provider that implements OpenID Connect or OAuth 2. */
export type OAuthProvider = OidcConfig | PresetConfig;

/** A flow at such a provider: where it belongs, its secrets, and where it returns to. */
export interface OAuthFlow {
  readonly scope: AccountScope;
  /** The network of the client. */
  readonly network: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  /** The organization at Microsoft to which the app limits the sign-in; `null` for none. */
  readonly organization: string | null;
}

/** Returns the configuration if the server can use it to sign users in. */
export function findOAuthProvider(config: Exclude<ProviderConfig, SamlConfig>): OAuthProvider | undefined {
  if (config.kind === 'oidc') return config;
  const preset = findPreset(config.providerId);
  const needsSecret = preset?.quirks.includes('apple-form') === true;
  const hasSecret = config.appleKey !== null || config.sealedClientSecret !== null;
  return preset !== undefined && (hasSecret || !needsSecret) ? config : undefined;
}

/** Returns whether the provider returns an ID token in place of a code. */
export function issuesTokenDirectly(config: OAuthProvider): boolean {
  return config.kind === 'oidc' && config.responseType === 'id_token';
}

/** Returns whether the provider returns with a form. */
export function returnsWithForm(config: OAuthProvider): boolean {
  return issuesTokenDirectly(config) || findPreset(config.providerId)?.quirks.includes('apple-form') === true;
}

/** Returns the address at which the user signs in. Rejects if the provider cannot be reached or is not valid. */
export async function authorizationUrl(
  services: ProviderClientServices,
  config: OAuthProvider,
  options: ProviderOptions,
  flow: OAuthFlow,
): Promise<URL> {
  const client = await openClient(services, config, flow);
  const preset = findPreset(config.providerId);
  const scopes = new Set([...(preset?.scopes ?? ['openid', 'email', 'profile']), ...options.scopes]);
  const hasIdToken = expectationOf(config, undefined) !== undefined;
  return oidc.buildAuthorizationUrl(client, {
    ...options.parameters,
    redirect_uri: flow.redirectUri,
    scope: [...scopes].join(' '),
    state: flow.state,
    ...(issuesTokenDirectly(config)
      ? { response_type: 'id_token' }
      : {
          code_challenge: await oidc.calculatePKCECodeChallenge(flow.codeVerifier),
          code_challenge_method: 'S256',
        }),
    ...(returnsWithForm(config) ? { response_mode: 'form_post' } : {}),
    ...(hasIdToken ? { nonce: flow.nonce } : {}),
  });
}

/** The parameters of a response that the OpenID library reads. */
const RESPONSE_PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description'];

/**
 * Returns the statement of the provider in a response: exchanges its code, or verifies its ID token. Rejects with an
 * `AuthorizationResponseError` if the provider reports an error, and with other errors if the response is not valid.
 */
export async function readOAuthResponse(
  services: ProviderClientServices,
  config: OAuthProvider,
  response: URLSearchParams,
  flow: OAuthFlow,
): Promise<ProviderAssertion> {
  const user = response.get('user') ?? undefined;
  if (issuesTokenDirectly(config) && response.get('error') === null) {
    const idToken = response.get('id_token');
    if (idToken === null) throw new ProviderFailure('The response has no ID token.');
    return assertionOfIdToken(services, config, { idToken }, flow, user);
  }
  // The provider knows this address as it was sent to it, whatever the request names.
  const returnedTo = new URL(flow.redirectUri);
  for (const name of RESPONSE_PARAMETERS)
    for (const value of response.getAll(name)) returnedTo.searchParams.append(name, value);
  return redeemCode(services, config, returnedTo, flow, user);
}

async function redeemCode(
  services: ProviderClientServices,
  config: OAuthProvider,
  returnedTo: URL,
  flow: OAuthFlow,
  user: string | undefined,
): Promise<ProviderAssertion> {
  const client = await openClient(services, config, flow);
  const { scope, nonce } = flow;
  const hasIdToken = expectationOf(config, undefined) !== undefined;
  const grant = await oidc.authorizationCodeGrant(client, returnedTo, {
    pkceCodeVerifier: flow.codeVerifier,
    expectedState: flow.state,
    ...(hasIdToken ? { expectedNonce: nonce, idTokenExpected: true } : {}),
  });
  const tokens = tokensOf(grant);
  if (hasIdToken && grant.id_token !== undefined)
    return assertionOfIdToken(services, config, { ...tokens, idToken: grant.id_token }, flow, user);
  const preset = findPreset(config.providerId);
  if (preset === undefined) throw new Error('Bug: a provider without a preset issues ID tokens.');
  const assertion = await assertionOfGrantedToken(services.providers.requests.sendFor(causeOf(flow)), {
    preset,
    accessToken: grant.access_token,
    scopes: (grant.scope ?? '').split(' '),
    clientIds: clientIdsOf(config),
    clientId: config.clientId,
    clientSecret: await clientSecretOf(services.secretBox, scope, config, services.clock.nowMs()),
  });
  return { ...assertion, tokens };
}

async function assertionOfIdToken(
  { providers, clock }: ProviderClientServices,
  config: OAuthProvider,
  tokens: ProviderTokens & { readonly idToken: string },
  { scope, nonce, organization }: OAuthFlow,
  user: string | undefined,
): Promise<ProviderAssertion> {
  const expected = expectationOf(config, nonce, organization);
  if (expected === undefined) throw new Error('Bug: the provider issues no ID tokens.');
  const { providerId } = config;
  const documents = providers.documents.for(scope.projectId);
  const claims = await verifyProviderIdToken(documents, tokens.idToken, expected, clock.nowMs());
  const mapping = findPreset(providerId)?.profile ?? OPENID_CLAIMS;
  return assertionFromProfile({ providerId, mapping }, withAppleName(providerId, claims, user), tokens);
}

function causeOf({ scope, network }: ProviderCause) {
  return { network, projectId: scope.projectId };
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

/**
 * The scope and the network for which the server sends a request to a provider, and the organization at Microsoft to
 * which the sign-in is limited.
 */
type ProviderCause = Pick<OAuthFlow, 'scope' | 'network' | 'organization'>;

/**
 * The kind of credential that an app asks the server to revoke: a token, or a code that the server exchanges for tokens
 * first.
 */
export type RevocableKind = 'access_token' | 'refresh_token' | 'code';

/** Clients of the app to which a provider may have given a code. Each one takes a request to try. */
const MAX_CODE_CLIENTS = 4;

/**
 * Revokes a token of a provider, or the tokens of a code. Rejects like `readOAuthResponse`. The code of a native app
 * belongs to one of the app's other clients, and does not say to which.
 */
export async function revokeAtProvider(
  services: ProviderClientServices,
  config: OAuthProvider,
  given: { readonly token: string; readonly kind: RevocableKind; readonly redirectUri: string },
  cause: ProviderCause,
): Promise<void> {
  const { token, kind, redirectUri } = given;
  if (kind !== 'code') {
    const client = await openClient(services, config, cause);
    return oidc.tokenRevocation(client, token, { token_type_hint: kind });
  }
  const parameters = { code: token, ...(redirectUri === '' ? {} : { redirect_uri: redirectUri }) };
  const clientIds = [...config.otherClientIds, config.clientId].slice(-MAX_CODE_CLIENTS);
  let rejection: unknown;
  for (const clientId of clientIds) {
    const client = await openClient(services, { ...config, clientId }, cause);
    const grant = await oidc
      .genericGrantRequest(client, 'authorization_code', parameters)
      .catch((error: unknown) => {
        if (!(error instanceof oidc.ResponseBodyError)) throw error;
        rejection = error;
      });
    if (grant === undefined) continue;
    const { refresh_token: refreshToken, access_token: accessToken } = grant;
    return refreshToken === undefined
      ? oidc.tokenRevocation(client, accessToken, { token_type_hint: 'access_token' })
      : oidc.tokenRevocation(client, refreshToken, { token_type_hint: 'refresh_token' });
  }
  throw rejection;
}

/** Opens a client of the provider. Its requests go through the guarded `send` of the server. */
async function openClient(
  services: ProviderClientServices,
  config: OAuthProvider,
  flow: ProviderCause,
): Promise<oidc.Configuration> {
  const { requests } = services.providers;
  const documents = services.providers.documents.for(flow.scope.projectId);
  const secret = await clientSecretOf(services.secretBox, flow.scope, config, services.clock.nowMs());
  const fetchGuarded = fetchBy(requests.sendFor(causeOf(flow)), (address) => documents.read(address));
  const preset = findPreset(config.providerId);
  if (preset?.protocol.kind === 'oauth2')
    return oauth2Client(preset, config.clientId, secret?.reveal(), fetchGuarded);
  const issuer = requireProviderUrl(issuerOf(config, flow.organization));
  const allowsPlain = issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
  const methods = (await documents.read(discoveryAddress(issuer)))['token_endpoint_auth_methods_supported'];
  const byPost = Array.isArray(methods) && methods.includes('client_secret_post');
  return oidc.discovery(issuer, config.clientId, undefined, authentication(secret?.reveal(), byPost), {
    [oidc.customFetch]: fetchGuarded,
    execute: allowsPlain,
  });
}

function discoveryAddress({ href }: URL): string {
  return `${href.replace(/\/$/, '')}/.well-known/openid-configuration`;
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
  const { authorizationUrl: authorize, tokenUrl, secretIn } = protocol;
  const server = {
    issuer: new URL(authorize).origin,
    authorization_endpoint: authorize,
    token_endpoint: tokenUrl,
  };
  const client = new oidc.Configuration(
    server,
    clientId,
    undefined,
    authentication(secret, secretIn === 'form'),
  );
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
