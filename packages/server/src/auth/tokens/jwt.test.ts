import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseClaims } from './jwt.ts';

test('[I98] numbers of claims become doubles, which JSON can represent', () => {
  const text = '{"a":9007199254740993,"b":[{"c":-9223372036854775808}],"\\u0061b":"1234567890123456789"}';
  expect(JSON.stringify(parseClaims(text))).toBe(
    '{"a":9007199254740992,"b":[{"c":-9223372036854776000}],"ab":"1234567890123456789"}',
  );
});

test('[I98] a claim named __proto__ is an ordinary claim', () => {
  const claims = parseClaims('{"__proto__":{"uid":"jack"}}');
  expect(Object.keys(claims)).toEqual(['__proto__']);
  expect(claims['uid']).toBeUndefined();
});

test('[I97] arbitrary bytes are either parsed as claims or rejected with a SyntaxError', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.string(), fc.json()), (bytes) => {
      try {
        expect(typeof parseClaims(bytes)).toBe('object');
      } catch (cause) {
        expect(cause).toBeInstanceOf(SyntaxError);
      }
    }),
  );
});
