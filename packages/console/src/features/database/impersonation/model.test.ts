import { expect, test } from 'vitest';
import {
  encodeImpersonated,
  type ImpersonatedPrincipal,
  MAX_CLAIMS,
  parseClaims,
  parseImpersonated,
} from './model.ts';

test.each<ImpersonatedPrincipal>([
  { kind: 'nobody' },
  { kind: 'account', uid: 'a:b/c' },
  { kind: 'account', uid: 'nobody' },
  { kind: 'claims', auth: { uid: 'ann', token: { admin: true } } },
])('[C350] the principal %j is restored from the address', (impersonated) => {
  expect(parseImpersonated(encodeImpersonated(impersonated))).toEqual(impersonated);
});

test.each(['', 'account:', 'owner', '[]', 'null', '"ann"', '{'])(
  '[C350] “%s” does not name a principal',
  (text) => {
    expect(parseImpersonated(text)).toBeUndefined();
  },
);

test('[C353] claims longer than the maximum are invalid', () => {
  const long = (length: number) => JSON.stringify({ uid: 'x'.repeat(length - '{"uid":""}'.length) });
  expect(parseClaims(long(MAX_CLAIMS))).toBeDefined();
  expect(parseClaims(long(MAX_CLAIMS + 1))).toBeUndefined();
});
