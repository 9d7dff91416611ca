import { type Claims, isClaims, parseClaims } from './claims.ts';
import { TokenProblem } from './token-problem.ts';

/** Longest custom claims, in characters of their JSON. */
export const MAX_CUSTOM_CLAIMS_LENGTH = 1_000;

/** Claims with a meaning of their own in every token. */
const RESERVED: readonly string[] = [
  'iss',
  'aud',
  'sub',
  'iat',
  'exp',
  'nbf',
  'jti',
  'nonce',
  'azp',
  'acr',
  'amr',
  'cnf',
  'auth_time',
  'firebase',
  'at_hash',
  'c_hash',
];

/** Claims that say who somebody is, which only the account itself says. */
const OF_THE_ACCOUNT: readonly string[] = [
  'user_id',
  'email',
  'email_verified',
  'phone_number',
  'provider_id',
];

const WITHHELD: ReadonlySet<string> = new Set([...RESERVED, ...OF_THE_ACCOUNT]);

/**
 * Claims that an app gives an account or a session. Refuses with `INVALID_CLAIMS` what is no object, and with
 * `FORBIDDEN_CLAIM` a reserved name.
 */
export function mustBeCustomClaims(json: unknown): Claims {
  if (!isClaims(json)) throw new TokenProblem('INVALID_CLAIMS');
  const reserved = RESERVED.find((name) => Object.hasOwn(json, name));
  if (reserved !== undefined) throw new TokenProblem('FORBIDDEN_CLAIM', reserved);
  return json;
}

/** Reads the claims of an account from JSON text; refuses with `CLAIMS_TOO_LARGE` what is too long, then as above. */
export function parseCustomClaims(text: string): Claims {
  if (text.length > MAX_CUSTOM_CLAIMS_LENGTH) throw new TokenProblem('CLAIMS_TOO_LARGE');
  return mustBeCustomClaims(parseOrRefuse(text));
}

/** The claims without those that may not come from an app. */
export function withoutReservedClaims(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !WITHHELD.has(name)));
}

function parseOrRefuse(text: string): Claims {
  try {
    return parseClaims(text);
  } catch (cause) {
    throw new TokenProblem('INVALID_CLAIMS', undefined, cause);
  }
}
