import { createHash } from 'node:crypto';
import { compactVerify, createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';
import { AuthApiError } from '../errors.ts';
import { memoizeByObject } from '../stored-record.ts';
import { type Claims, isClaims, parseClaims, parseJwt } from '../tokens/jwt.ts';
import type { DocumentReader } from './provider-documents.ts';
import { ProviderFailure, requireProviderUrl } from './provider-requests.ts';

/** The endpoints of an OpenID provider. */
export interface OidcEndpoints {
  readonly issuer: string;
  readonly authorizationUrl: URL;
  /** `null` if the provider issues ID tokens only. */
  readonly tokenUrl: URL | null;
  readonly profileUrl: URL | null;
  readonly keysUrl: URL;
}

/** Replaces the id of an organization in issuers of Microsoft. */
const ORGANIZATION = '{tenantid}';
const DISCOVERY_PATH = '/.well-known/openid-configuration';

/**
 * Returns the endpoints from the discovery document of an issuer. Throws a `ProviderFailure` if there is no valid
 * document, or if it belongs to another issuer.
 */
export async function discoverEndpoints(documents: DocumentReader, issuer: string): Promise<OidcEndpoints> {
  const json = await documents.read(`${issuer.replace(/\/$/, '')}${DISCOVERY_PATH}`);
  const named = json['issuer'];
  if (typeof named !== 'string' || (named !== issuer && !isNameAtMicrosoft(issuer, named)))
    throw new ProviderFailure(`The discovery document of ${issuer} names another issuer.`);
  return {
    issuer: named,
    authorizationUrl: requireProviderUrl(json['authorization_endpoint']),
    tokenUrl: json['token_endpoint'] === undefined ? null : requireProviderUrl(json['token_endpoint']),
    profileUrl:
      json['userinfo_endpoint'] === undefined ? null : requireProviderUrl(json['userinfo_endpoint']),
    keysUrl: requireProviderUrl(json['jwks_uri']),
  };
}

/** An issuer of Microsoft. The first group is an organization, by its ID or a domain, or a kind of users. */
const MICROSOFT = /^https:\/\/login\.microsoftonline\.com\/([^/]+)\/v2\.0$/;
/** The ID of an organization contains neither slashes nor dots. */
const ORGANIZATION_ID = /^[0-9a-f-]{36}$/i;
/** The organization to which all personal accounts at Microsoft belong. Microsoft's name `consumers` stands for it. */
const PERSONAL = '9188040d-6c67-4c5b-b112-36a304b66dad';

/**
 * Returns whether Microsoft answers with the discovery document of an issuer for another name of it: with a template for
 * the users of all organizations, and with the ID of an organization for its domain.
 */
function isNameAtMicrosoft(issuer: string, named: string): boolean {
  const [name, id] = [issuer, named].map((address) => MICROSOFT.exec(address)?.[1]);
  if (name === undefined || id === undefined || ORGANIZATION_ID.test(name)) return false;
  if (name === 'common' || name === 'organizations') return id === ORGANIZATION;
  return name === 'consumers' ? id === PERSONAL : ORGANIZATION_ID.test(id);
}

/** The required claims of an ID token. */
export interface ExpectedIdToken {
  /** As the project has configured it. */
  readonly issuer: string;
  /** The clients of the project's app, one of which the token must be for. */
  readonly clientIds: readonly string[];
  /** Whether the provider issues tokens for a client only to clients of the same owner. */
  readonly hasSharedOwners: boolean;
  /** The value that the client chose before the sign-in, if any. */
  readonly rawNonce: string | undefined;
  /** Returns whether a nonce was chosen by the server itself, for which the client need not know it. */
  readonly isOwnNonce?: (nonce: string) => boolean;
}

const MAX_TOKEN_LENGTH = 16_384;
const MAX_KEYS = 100;
const SKEW_SEC = 60;
/** Keys are fetched again for a token with an unknown key, but not more often than this. */
const UNKNOWN_KEY_MS = 60_000;
/** Asymmetric algorithms only: with a symmetric one, the public key could serve as the secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** Google also issues tokens with its issuer in this form. */
const OTHER_FORMS: Readonly<Record<string, string>> = {
  'https://accounts.google.com': 'accounts.google.com',
};

/**
 * Returns the claims of an ID token of a provider. Throws `INVALID_IDP_RESPONSE` or `MISSING_OR_INVALID_NONCE` if the token
 * is not acceptable, and a `ProviderFailure` if the keys cannot be fetched.
 */
export async function verifyProviderIdToken(
  documents: DocumentReader,
  token: string,
  expected: ExpectedIdToken,
  nowMs: number,
): Promise<Claims> {
  if (token.length > MAX_TOKEN_LENGTH) throw invalidToken('is too long');
  // Garbage must not cause requests to the provider.
  requireForApp(parseUnverified(token), expected, nowMs);
  const { issuer, keysUrl } = await discoverEndpoints(documents, expected.issuer);
  const claims = await verifySignature(documents, token, keysUrl.href);
  requireIssuer(claims, issuer);
  if (MICROSOFT.exec(expected.issuer)?.[1] === 'organizations' && claims['tid'] === PERSONAL)
    throw invalidToken('is of a personal account, and the app admits only organizations');
  requireForApp(claims, expected, nowMs);
  requireNonce(claims['nonce'], expected);
  return claims;
}

/** Returns the claims of a token whose signature is not verified. Throws if its form says that the provider did not sign it. */
function parseUnverified(token: string): Claims {
  try {
    const { header, claims } = parseJwt(token);
    if (typeof header['alg'] === 'string' && ALGORITHMS.includes(header['alg'])) return claims;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw invalidToken('is not signed by the provider', cause);
  }
  throw invalidToken('is not signed by the provider');
}

const keySetOf = memoizeByObject((json: Claims) => {
  if (!isKeySet(json))
    throw new ProviderFailure(`The keys of the provider are not a list of at most ${MAX_KEYS} keys.`);
  return createLocalJWKSet(json);
});

/** Returns the number of keys in a document that can verify ID tokens. */
export function countKeys(json: Claims): number {
  return isKeySet(json) ? json.keys.filter(({ kty }) => kty !== 'oct').length : 0;
}

function isKeySet(json: Claims): json is Claims & JSONWebKeySet {
  const keys = json['keys'];
  return Array.isArray(keys) && keys.length <= MAX_KEYS && keys.every(isClaims);
}

async function verifySignature(documents: DocumentReader, token: string, address: string): Promise<Claims> {
  const cached = await documents.read(address);
  const first = await tryKeys(cached, token);
  if (first !== 'unknown-key') return first;
  const current = await documents.read(address, UNKNOWN_KEY_MS);
  const second = current === cached ? first : await tryKeys(current, token);
  if (second === 'unknown-key') throw invalidToken('is not signed with a key of the provider');
  return second;
}

async function tryKeys(keys: Claims, token: string): Promise<Claims | 'unknown-key'> {
  try {
    const { payload } = await compactVerify(token, keySetOf(keys), { algorithms: ALGORITHMS });
    return parseClaims(payload);
  } catch (cause) {
    if (cause instanceof errors.JWKSNoMatchingKey) return 'unknown-key';
    // A key of the provider may be malformed, which is an error of the provider.
    if (cause instanceof errors.JOSEError || cause instanceof SyntaxError || cause instanceof TypeError)
      throw invalidToken('is not signed by the provider', cause);
    throw cause;
  }
}

/** Throws unless the token is for a client of the app, and valid at this time. */
function requireForApp(claims: Claims, expected: ExpectedIdToken, nowMs: number): void {
  requireAudience(claims, expected);
  requireTimes(claims, nowMs / 1_000);
}

function requireIssuer(claims: Claims, issuer: string): void {
  const { iss, tid } = claims;
  if (typeof iss !== 'string') throw invalidToken('has no issuer');
  if (issuer.includes(ORGANIZATION)) {
    if (typeof tid === 'string' && ORGANIZATION_ID.test(tid) && iss === issuer.replace(ORGANIZATION, tid))
      return;
  } else if (iss === issuer || iss === OTHER_FORMS[issuer]) return;
  throw invalidToken('is of another issuer');
}

function requireAudience(
  { aud, azp }: Claims,
  { clientIds, hasSharedOwners }: Pick<ExpectedIdToken, 'clientIds' | 'hasSharedOwners'>,
): void {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  const isOurs = (id: unknown): boolean => typeof id === 'string' && clientIds.includes(id);
  if (!audiences.some(isOurs)) throw invalidToken('is for another app');
  if (audiences.length > 1 && azp === undefined) throw invalidToken('is for several apps');
  if (azp !== undefined && !isOurs(azp) && !hasSharedOwners) throw invalidToken('was issued to another app');
}

function requireTimes({ exp, iat, nbf }: Claims, nowSec: number): void {
  if (typeof exp !== 'number' || exp <= nowSec - SKEW_SEC) throw invalidToken('has expired');
  if (typeof iat === 'number' && iat > nowSec + SKEW_SEC) throw invalidToken('is from the future');
  if (typeof nbf === 'number' && nbf > nowSec + SKEW_SEC) throw invalidToken('is not valid yet');
}

/** Throws unless the token contains the nonce of the sign-in, or its hash, which native apps send to the provider. */
function requireNonce(
  nonce: unknown,
  { rawNonce: raw, isOwnNonce }: Pick<ExpectedIdToken, 'rawNonce' | 'isOwnNonce'>,
): void {
  if (nonce === undefined && raw === undefined) return;
  if (raw === undefined && typeof nonce === 'string' && isOwnNonce?.(nonce)) return;
  if (raw === undefined || typeof nonce !== 'string')
    throw new AuthApiError(
      'MISSING_OR_INVALID_NONCE',
      'The request and the token of the provider must both have a nonce, or neither.',
    );
  const hash = createHash('sha256').update(raw);
  if (nonce !== raw && nonce !== hash.digest('hex'))
    throw new AuthApiError('MISSING_OR_INVALID_NONCE', 'The nonce is not that of the token of the provider.');
}

function invalidToken(problem: string, cause?: unknown): AuthApiError {
  return new AuthApiError('INVALID_IDP_RESPONSE', `The ID token ${problem}.`, { cause });
}
