import { AsyncLocalStorage } from 'node:async_hooks';
import { must } from '@hearth/core/error/assert.ts';
import * as oidc from 'openid-client';
import type { HttpSend } from '../../platform/network/http-send.ts';
import { RecentMap } from '../../platform/recent-map.ts';
import { assertionOfGrantedToken } from '../providers/access-token.ts';
import { withAppleName } from '../providers/apple-user.ts';
import type { ProviderAssertion, ProviderTokens } from '../providers/assertion.ts';
import { assertionFromProfile } from '../providers/claims-assertion.ts';
import { clientSecretOf } from '../providers/client-secret.ts';
import { verifyProviderIdToken } from '../providers/oidc-token.ts';
import { findPreset, OPENID_CLAIMS } from '../providers/presets.ts';
import type { OidcConfig, PresetConfig, ProviderConfig, SamlConfig } from '../providers/provider-config.ts';
import { ProviderFailure, requireProviderUrl } from '../providers/provider-requests.ts';
import { clientIdsOf, expectationOf, issuerOf } from '../providers/verified-credential.ts';
import type { AuthServices } from '../services.ts';
import type { AccountScope } from '../tenants/scope.ts';
import type { Claims } from '../tokens/jwt.ts';
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
  const preset = findPreset(config.providerId);
  const scopes = new Set([...(preset?.scopes ?? ['openid', 'email', 'profile']), ...options.scopes]);
  const hasIdToken = expectationOf(config, undefined) !== undefined;
  const parameters = {
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
  };
  return withClient(services, config, flow, (client) => oidc.buildAuthorizationUrl(client, parameters));
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
  // The address that was sent to the provider, because the request may name it in another form.
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
  const { scope, nonce } = flow;
  const hasIdToken = expectationOf(config, undefined) !== undefined;
  const checks = {
    pkceCodeVerifier: flow.codeVerifier,
    expectedState: flow.state,
    ...(hasIdToken ? { expectedNonce: nonce, idTokenExpected: true } : {}),
  };
  const grant = await withClient(services, config, flow, (client) =>
    oidc.authorizationCodeGrant(client, returnedTo, checks),
  );
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
  const revoke = (client: oidc.Configuration, revoked: string, hint: string): Promise<void> =>
    oidc.tokenRevocation(client, revoked, { token_type_hint: hint });
  if (kind !== 'code') return withClient(services, config, cause, (client) => revoke(client, token, kind));
  const parameters = { code: token, ...(redirectUri === '' ? {} : { redirect_uri: redirectUri }) };
  const clientIds = [...config.otherClientIds, config.clientId].slice(-MAX_CODE_CLIENTS);
  let rejection: unknown;
  for (const clientId of clientIds) {
    const isRevoked = await withClient(services, { ...config, clientId }, cause, async (client) => {
      const grant = await oidc
        .genericGrantRequest(client, 'authorization_code', parameters)
        .catch((error: unknown) => {
          if (!(error instanceof oidc.ResponseBodyError)) throw error;
          rejection = error;
        });
      if (grant === undefined) return false;
      const { refresh_token: refreshToken, access_token: accessToken } = grant;
      if (refreshToken === undefined) await revoke(client, accessToken, 'access_token');
      else await revoke(client, refreshToken, 'refresh_token');
      return true;
    });
    if (isRevoked) return;
  }
  throw rejection;
}

/** How the clients of providers send requests and identify the server, for the flow that runs. */
interface ClientUse {
  readonly send: HttpSend;
  readonly authenticate: oidc.ClientAuth;
}

const USES = new AsyncLocalStorage<ClientUse>();

function currentUse(): ClientUse {
  return must(USES.getStore(), 'a client of a provider is used within `withClient`');
}

/** Calls `use` with a client of the provider. Its requests go through the guarded `send` of the server. */
async function withClient<T>(
  { providers, secretBox, clock }: ProviderClientServices,
  config: OAuthProvider,
  cause: ProviderCause,
  use: (client: oidc.Configuration) => T | Promise<T>,
): Promise<T> {
  const secret = (await clientSecretOf(secretBox, cause.scope, config, clock.nowMs()))?.reveal();
  const send = providers.requests.sendFor(causeOf(cause));
  const preset = findPreset(config.providerId);
  if (preset?.protocol.kind === 'oauth2') {
    const { authorizationUrl: authorize, tokenUrl, secretIn } = preset.protocol;
    const client = oauth2Client(authorize, tokenUrl, config.clientId);
    const authenticate = authentication(secret, secretIn === 'form');
    return USES.run({ send, authenticate }, () => use(client));
  }
  const issuer = requireProviderUrl(issuerOf(config, cause.organization));
  const document = await providers.documents.for(cause.scope.projectId).read(discoveryAddress(issuer));
  const methods = document['token_endpoint_auth_methods_supported'];
  const authenticate = authentication(
    secret,
    Array.isArray(methods) && methods.includes('client_secret_post'),
  );
  const client = await findOidcClient(document, issuer, config.clientId);
  return USES.run({ send, authenticate }, () => use(client));
}

/** Number of clients of one discovery document that are kept. */
const MAX_CLIENTS_OF_DOCUMENT = 64;

const CLIENTS = new WeakMap<Claims, RecentMap<Promise<oidc.Configuration>>>();

/**
 * Returns the client of an issuer with this discovery document: the same one as before, because the library takes about a
 * millisecond to create one. Clients are kept as long as their document.
 */
export function findOidcClient(document: Claims, issuer: URL, clientId: string): Promise<oidc.Configuration> {
  let clients = CLIENTS.get(document);
  if (clients === undefined) {
    clients = new RecentMap(MAX_CLIENTS_OF_DOCUMENT);
    CLIENTS.set(document, clients);
  }
  const name = `${issuer.href}\n${clientId}`;
  const known = clients.find(name);
  if (known !== undefined) return known;
  const discovered = oidc.discovery(issuer, clientId, undefined, authenticateNow, {
    [oidc.customFetch]: fetchBy(document),
    execute: issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
  });
  clients.write(name, discovered);
  return discovered;
}

const authenticateNow: oidc.ClientAuth = (server, client, body, headers) =>
  currentUse().authenticate(server, client, body, headers);

function discoveryAddress({ href }: URL): string {
  return `${href.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

function authentication(secret: string | undefined, byPost: boolean): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  return byPost ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
}

function oauth2Client(authorize: string, tokenUrl: string, clientId: string): oidc.Configuration {
  const server = {
    issuer: new URL(authorize).origin,
    authorization_endpoint: authorize,
    token_endpoint: tokenUrl,
  };
  const client = new oidc.Configuration(server, clientId, undefined, authenticateNow);
  client[oidc.customFetch] = fetchBy({});
  return client;
}

/** Returns the `fetch` of a client. `document` is the discovery document of its issuer. */
function fetchBy(document: Claims): oidc.CustomFetch {
  return async (address, { method, headers, body }) => {
    if (address.includes('/.well-known/')) return Response.json(document);
    const reply = await currentUse().send(requireProviderUrl(address), {
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
