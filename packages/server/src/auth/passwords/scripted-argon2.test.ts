import { argon2Sync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveScriptedArgon2 } from './argon2-js.ts';

test('[I72] hashes of version 0x13 equal those of Node', () => {
  fc.assert(
    fc.property(
      fc.record({
        variant: fc.constantFrom('argon2d' as const, 'argon2i' as const, 'argon2id' as const),
        password: fc.uint8Array({ maxLength: 200 }),
        salt: fc.uint8Array({ minLength: 8, maxLength: 40 }),
        associatedData: fc.uint8Array({ maxLength: 40 }),
        // From 8 KiB for each lane, and past 512 KiB for each lane, where addresses need a second block.
        memoryKiB: fc.oneof(fc.integer({ min: 32, max: 200 }), fc.integer({ min: 512, max: 1100 })),
        passes: fc.integer({ min: 1, max: 3 }),
        parallelism: fc.integer({ min: 1, max: 4 }),
        lengthBytes: fc.integer({ min: 4, max: 200 }),
      }),
      ({ variant, password, salt, associatedData, lengthBytes, ...cost }) => {
        const input = { password, salt, associatedData, lengthBytes, cost };
        expect(Buffer.from(deriveScriptedArgon2(variant, 0x13, input))).toEqual(
          argon2Sync(variant, {
            message: password,
            nonce: salt,
            associatedData,
            memory: cost.memoryKiB,
            passes: cost.passes,
            parallelism: cost.parallelism,
            tagLength: lengthBytes,
          }),
        );
      },
    ),
    { numRuns: 40 },
  );
});
