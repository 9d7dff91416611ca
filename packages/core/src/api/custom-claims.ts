/** Maximum length of the JSON text of custom claims, in UTF-16 code units. */
export const MAX_CUSTOM_CLAIMS_LENGTH = 1_000;

/** Names with a fixed meaning in every token. Custom claims must not have these names. */
export const RESERVED_CLAIMS: readonly string[] = [
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
