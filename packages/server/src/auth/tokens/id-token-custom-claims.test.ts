import { MAX_CUSTOM_CLAIMS_LENGTH } from '@hearth/core/api/custom-claims.ts';
import { expect, test } from 'vitest';
import { parseCustomClaims, requireCustomClaims } from './id-token.ts';

const AT_LIMIT = `{"a":"${'x'.repeat(MAX_CUSTOM_CLAIMS_LENGTH - 8)}"}`;

test.each(['{}', '{"role":"admin"}', '{"email":"is left out later"}', AT_LIMIT])(
  '[I96] the claims %s are accepted',
  (text) => {
    expect(parseCustomClaims(text)).toEqual(JSON.parse(text));
  },
);

test.each([
  ['', 'INVALID_CLAIMS'],
  ['{', 'INVALID_CLAIMS'],
  ['[]', 'INVALID_CLAIMS'],
  ['null', 'INVALID_CLAIMS'],
  ['"admin"', 'INVALID_CLAIMS'],
  [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, 'INVALID_CLAIMS'],
  [`${AT_LIMIT} `, 'CLAIMS_TOO_LARGE'],
])('[I96] the claims %s are rejected with %s', (text, code) => {
  expect(() => parseCustomClaims(text)).toThrow(expect.objectContaining({ code }));
});

test.each('acr amr at_hash aud auth_time azp c_hash cnf exp firebase iat iss jti nbf nonce sub'.split(' '))(
  '[I96] the claim %s is rejected with an error that names the claim',
  (name) => {
    expect(() => requireCustomClaims({ role: 'admin', [name]: 1 })).toThrow(`FORBIDDEN_CLAIM : ${name}`);
  },
);
