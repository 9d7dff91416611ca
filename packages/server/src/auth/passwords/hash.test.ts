import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePasswordHash, encodePasswordHash, type PasswordHash } from './hash.ts';
import { hashParametersArbitrary } from './hash-parameters.arbitrary.ts';

const bytes = fc.uint8Array({ maxLength: 70 }).map((array) => Buffer.from(array));
const count = fc.integer({ min: 1, max: 100_000 });
const passwordHash: fc.Arbitrary<PasswordHash> = fc.oneof(
  fc.record({
    kind: fc.constant('native' as const),
    cost: fc.record({ memoryKiB: count, passes: count, parallelism: count }),
    salt: bytes,
    hash: bytes,
  }),
  fc.record({
    kind: fc.constant('imported' as const),
    parametersId: fc.string(),
    parameters: hashParametersArbitrary,
    salt: bytes,
    hash: bytes,
  }),
);

test('[I67] a hash is read back as it was stored, with the parameters that it names', () => {
  fc.assert(
    fc.property(passwordHash, (hash) => {
      const record: unknown = JSON.parse(JSON.stringify(encodePasswordHash(hash)));
      const decoded = decodePasswordHash(record, (id) => {
        if (hash.kind !== 'imported') throw new Error('A native hash names no parameters.');
        expect(id).toBe(hash.parametersId);
        return hash.parameters;
      });
      expect(decoded).toEqual(hash);
    }),
  );
});

const NATIVE = { algorithm: 'argon2id', memoryKiB: 8, passes: 1, parallelism: 1, salt: 'AA==', hash: 'AA==' };

test.each([
  undefined,
  null,
  'argon2id',
  {},
  { ...NATIVE, algorithm: 'md5' },
  { ...NATIVE, passes: 0 },
  { ...NATIVE, memoryKiB: '8' },
  { ...NATIVE, hash: undefined },
  { algorithm: 'imported', salt: 'AA==', hash: 'AA==' },
])('[I67] the damaged record %j is rejected', (record) => {
  expect(() => decodePasswordHash(record, () => ({ kind: 'bcrypt' }))).toThrow('is damaged');
});
