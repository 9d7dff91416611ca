import fc from 'fast-check';
import type { HashParameters } from './hash-parameters.ts';

const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
const someBytes = fc.uint8Array({ minLength: 1, maxLength: 40 }).map((array) => Buffer.from(array));
const digest = fc.constantFrom('md5' as const, 'sha1' as const, 'sha256' as const, 'sha512' as const);
const order = fc.constantFrom('salt-first' as const, 'password-first' as const);

/** Any valid parameters of an import. */
export const hashParametersArbitrary: fc.Arbitrary<HashParameters> = fc.oneof(
  fc.record({
    kind: fc.constant('firebase-scrypt' as const),
    signerKey: someBytes,
    saltSeparator: bytes,
    rounds: fc.integer({ min: 1, max: 8 }),
    memoryCost: fc.integer({ min: 1, max: 14 }),
  }),
  fc.record({
    kind: fc.constant('standard-scrypt' as const),
    saltSeparator: bytes,
    cpuMemCost: fc.integer({ min: 1, max: 15 }).map((exponent) => 2 ** exponent),
    blockSize: fc.integer({ min: 1, max: 8 }),
    parallelization: fc.integer({ min: 1, max: 16 }),
  }),
  fc.record({
    kind: fc.constant('hmac' as const),
    digest,
    signerKey: someBytes,
    saltSeparator: bytes,
    order,
  }),
  fc.record({
    kind: fc.constant('digest' as const),
    digest,
    rounds: fc.integer({ min: 1, max: 8192 }),
    saltSeparator: bytes,
    order,
  }),
  fc.record({
    kind: fc.constant('pbkdf2' as const),
    digest: fc.constantFrom('sha1' as const, 'sha256' as const),
    saltSeparator: bytes,
    rounds: fc.integer({ min: 0, max: 120_000 }),
  }),
  fc.constant({ kind: 'bcrypt' as const }),
  fc.record({
    kind: fc.constant('argon2' as const),
    variant: fc.constantFrom('argon2d' as const, 'argon2i' as const, 'argon2id' as const),
    version: fc.constantFrom(0x10 as const, 0x13 as const),
    cost: fc.record({
      memoryKiB: fc.integer({ min: 128, max: 32_768 }),
      passes: fc.integer({ min: 1, max: 16 }),
      parallelism: fc.integer({ min: 1, max: 16 }),
    }),
    associatedData: bytes,
  }),
);
