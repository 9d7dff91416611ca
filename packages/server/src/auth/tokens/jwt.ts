import type { KeyObject } from 'node:crypto';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { isNestedDeeperThan } from '@hearth/core/wire/client-messages.ts';
import { compactVerify, errors } from 'jose';

/** The content of a token, as JSON. */
export type Claims = Readonly<Record<string, unknown>>;

/** Deepest nesting of claims, so that rules can evaluate them and responses can contain them. */
const MAX_LEVELS = 32;

/**
 * Parses a part of a token. Numbers become doubles, as in rules. Throws a `SyntaxError` if it is not a JSON
 * object in UTF-8 or is nested too deep.
 */
export function parseClaims(bytes: Uint8Array | string): Claims {
  const json = parseJsonText(typeof bytes === 'string' ? bytes : decodeUtf8(bytes));
  if (isNestedDeeperThan(json, MAX_LEVELS))
    throw new SyntaxError(`The JSON has more than ${MAX_LEVELS} levels.`);
  const claims = withDoubles(json);
  if (!isClaims(claims)) throw new SyntaxError('The JSON is not an object.');
  return claims;
}

export function isClaims(json: unknown): json is Claims {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new SyntaxError('The bytes are not UTF-8.', { cause });
  }
}

/** Converts integers to doubles: these claims are written into other tokens, which can only contain doubles. */
function withDoubles(json: unknown): unknown {
  if (typeof json === 'bigint') return Number(json);
  if (Array.isArray(json)) return json.map(withDoubles);
  if (!isClaims(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withDoubles(value)]));
}

/** The three parts of a token, not verified. */
export interface JwtText {
  readonly header: Claims;
  readonly claims: Claims;
  /** The signature in base64url. Empty in unsigned tokens. */
  readonly signature: string;
}

const SEGMENT = /^[A-Za-z0-9_-]+$/;
const SIGNATURE = /^[A-Za-z0-9_-]*$/;

/** Returns the text to sign: header and claims, separated by a dot. */
export function encodeJwt(header: Claims, claims: Claims): string {
  return `${encodeClaims(header)}.${encodeClaims(claims)}`;
}

/**
 * Parses a token. Throws a `SyntaxError` if it does not have three parts, the first two of which are JSON
 * objects.
 */
export function parseJwt(text: string): JwtText {
  const [header = '', claims = '', signature, ...others] = text.split('.');
  if (signature === undefined || others.length > 0 || !SIGNATURE.test(signature))
    throw new SyntaxError('A token must have three parts.');
  return { header: parseSegment(header), claims: parseSegment(claims), signature };
}

/** Encodes one of the first two parts of a token. */
export function encodeClaims(json: Claims): string {
  return Buffer.from(JSON.stringify(json)).toString('base64url');
}

function parseSegment(segment: string): Claims {
  if (!SEGMENT.test(segment)) throw new SyntaxError('A part of the token is not base64url.');
  return parseClaims(Buffer.from(segment, 'base64url'));
}

/** The only supported algorithm. Checked before a key is looked up. */
export const ALGORITHM = 'RS256';

/** Returns the key with the id in a token's header, or `undefined` if it is unknown. */
export type FindKey = (keyId: string | undefined) => KeyObject | undefined;

/**
 * Returns the claims of a token signed with a known key. Returns `undefined` if the token is malformed, names
 * another algorithm or an unknown key, or has a wrong signature. Keys come only from `findKey`, never from the
 * token.
 */
export async function verifySignature(token: string, findKey: FindKey): Promise<Claims | undefined> {
  try {
    const { payload } = await compactVerify(
      token,
      ({ kid }) => {
        const key = findKey(typeof kid === 'string' ? kid : undefined);
        if (key === undefined) throw new errors.JWSSignatureVerificationFailed('unknown key');
        return key;
      },
      { algorithms: [ALGORITHM] },
    );
    return parseClaims(payload);
  } catch (cause) {
    if (cause instanceof errors.JOSEError || cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** Reasons why a token is rejected, by the names that clients know. */
export type TokenProblemCode =
  | 'INVALID_ID_TOKEN'
  | 'TOKEN_EXPIRED'
  | 'INVALID_DURATION'
  | 'MISSING_CUSTOM_TOKEN'
  | 'INVALID_CUSTOM_TOKEN'
  | 'CREDENTIAL_MISMATCH'
  | 'MISSING_IDENTIFIER'
  | 'INVALID_CLAIMS'
  | 'CLAIMS_TOO_LARGE'
  | 'FORBIDDEN_CLAIM'
  | 'TENANT_ID_MISMATCH'
  /** Errors of the OAuth 2 token endpoint. */
  | 'invalid_grant'
  | 'unsupported_grant_type'
  /** Error of the API for administrators. */
  | 'UNAUTHENTICATED';

/** A rejected token. The detail is sent to the client, and contains nothing from the token. */
export class TokenProblem extends Error {
  readonly code: TokenProblemCode;
  readonly detail: string | undefined;

  constructor(code: TokenProblemCode, detail?: string, cause?: unknown) {
    super(detail === undefined ? code : `${code} : ${detail}`, { cause });
    this.name = 'TokenProblem';
    this.code = code;
    this.detail = detail;
  }
}
