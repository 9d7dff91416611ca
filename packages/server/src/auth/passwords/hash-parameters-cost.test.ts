import { expect, test } from 'vitest';
import { checkHashCost, parseHashParameters } from './hash-parameters.ts';

function scrypt(cpuMemCost: number, blockSize: number, parallelization: number): object {
  return { hashAlgorithm: 'STANDARD_SCRYPT', cpuMemCost, blockSize, parallelization };
}

function argon2(version: string, memoryCostKib: number, iterations: number): object {
  const parameters = { hashType: 'ARGON2_ID', version, memoryCostKib, iterations, parallelism: 1 };
  return { hashAlgorithm: 'ARGON2', argon2Parameters: parameters };
}

test.each([
  { hashAlgorithm: 'SCRYPT', signerKey: 'a2V5', rounds: 8, memoryCost: 14 },
  { hashAlgorithm: 'PBKDF2_SHA256', rounds: 120_000 },
  { hashAlgorithm: 'SHA512', rounds: 8_192 },
  { hashAlgorithm: 'BCRYPT' },
  scrypt(2 ** 17, 8, 1),
  scrypt(2 ** 15, 8, 4),
  argon2('VERSION_13', 32_768, 16),
  argon2('VERSION_10', 32_768, 2),
])('[I662] %j is accepted', (json) => {
  expect(checkHashCost(parseHashParameters(json))).toBeUndefined();
});

test.each<[object, RegExp]>([
  [scrypt(2 ** 17, 8, 2), /cpuMemCost times blockSize times parallelization must be at most 1048576\.$/],
  [scrypt(2 ** 17, 8, 16), /cpuMemCost times blockSize times parallelization must be at most 1048576\.$/],
  [argon2('VERSION_10', 32_768, 3), /memoryCostKib times iterations must be at most 65536\.$/],
])('[I662] %j is rejected because one password would take too long', (json, problem) => {
  expect(checkHashCost(parseHashParameters(json))).toMatch(problem);
});
