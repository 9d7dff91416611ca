import { expect, test } from 'vitest';
import { encodeStandIn, MAX_CLAIMS, parseClaims, parseStandIn, type StandIn } from './model.ts';

test.each<StandIn>([
  { kind: 'nobody' },
  { kind: 'account', uid: 'a:b/c' },
  { kind: 'account', uid: 'nobody' },
  { kind: 'claims', auth: { uid: 'ann', token: { admin: true } } },
])('[C350] %j is found again in the address', (standIn) => {
  expect(parseStandIn(encodeStandIn(standIn))).toEqual(standIn);
});

test.each(['', 'account:', 'owner', '[]', 'null', '"ann"', '{'])('[C350] “%s” names nobody', (text) => {
  expect(parseStandIn(text)).toBeUndefined();
});

test('[C353] claims are a JSON object of bounded length', () => {
  const long = (length: number) => JSON.stringify({ uid: 'x'.repeat(length - '{"uid":""}'.length) });
  expect(parseClaims(long(MAX_CLAIMS))).toBeDefined();
  expect(parseClaims(long(MAX_CLAIMS + 1))).toBeUndefined();
});
