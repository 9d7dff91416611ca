import { RequestError } from '@hearth/core/error/request-error.ts';
import { isNestedDeeperThan } from '@hearth/core/wire/client-messages.ts';
import type { Principal } from './principal.ts';
import { ALL_RIGHTS, type Credential, type CredentialVerifier, createAdminPrincipal } from './verifier.ts';

/** Maximum length of a token, in UTF-16 code units. */
export const MAX_TOKEN_LENGTH = 32_768;

/**
 * Maximum nesting depth of claims. The limit ensures that the server can store claims and send them in
 * responses.
 */
const MAX_CLAIM_DEPTH = 32;

/** The token that makes a client an administrator in development mode. */
const OWNER_TOKEN = 'owner';

/**
 * Verifies the credentials of the official emulators: `owner`, and unsigned ID tokens of any project and any
 * age. For development mode only, because anyone can create them.
 */
export const emulatorVerifier = {
  async verify(credential: Credential): Promise<Principal> {
    if (credential.token.length > MAX_TOKEN_LENGTH)
      throw unreadableToken(`The auth token is longer than ${MAX_TOKEN_LENGTH} characters.`);
    return credential.token === OWNER_TOKEN
      ? createAdminPrincipal(credential, ALL_RIGHTS)
      : parseUnsignedToken(credential.token);
  },
} satisfies CredentialVerifier;

/**
 * Verifies an `Authorization: Bearer` header as the official emulators do: the caller is an administrator with any
 * token that is not empty.
 */
export const emulatorBearerVerifier = {
  async verify(credential: Credential): Promise<Principal> {
    if (credential.token === '') throw new RequestError('auth/admin-only');
    return createAdminPrincipal(credential, ALL_RIGHTS);
  },
} satisfies CredentialVerifier;

function parseUnsignedToken(token: string): Principal {
  const [headerText, claimsText, signature, ...rest] = token.split('.');
  if (headerText === undefined || claimsText === undefined || signature === undefined || rest.length > 0)
    throw unreadableToken();
  const header = parseSegment(headerText);
  const claims = parseSegment(claimsText);
  if (header['alg'] !== 'none' || signature !== '')
    throw unreadableToken(
      'Could not parse auth token: development mode accepts unsigned tokens only, as the emulators issue them.',
    );
  const uid = claims['sub'] ?? claims['user_id'];
  if (typeof uid !== 'string' || uid === '')
    throw unreadableToken('Could not parse auth token: it names no user in "sub" or "user_id".');
  const auth = { uid, provider: signInProvider(claims['firebase']), token: claims };
  // Firebase's test libraries date tokens 1970, so the expiry has no meaning.
  return { kind: 'user', auth, expiresAtMs: null };
}

function signInProvider(firebase: unknown): string {
  const provider = isObject(firebase) ? firebase['sign_in_provider'] : undefined;
  return typeof provider === 'string' ? provider : 'custom';
}

function parseSegment(segment: string): Readonly<Record<string, unknown>> {
  if (!/^[A-Za-z0-9_-]+={0,2}$/.test(segment)) throw unreadableToken();
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(segment, 'base64url'));
    const json: unknown = JSON.parse(text);
    if (isObject(json) && !isNestedDeeperThan(json, MAX_CLAIM_DEPTH)) return json;
  } catch (cause) {
    throw new RequestError('auth/unreadable', undefined, { cause });
  }
  throw unreadableToken();
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function unreadableToken(detail?: string): RequestError {
  return new RequestError('auth/unreadable', detail);
}
