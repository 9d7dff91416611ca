import { expect, test } from 'vitest';
import { type HashFlags, readHashFlags } from './hash-flags.ts';

const NOTHING: HashFlags = {
  hashAlgo: null,
  hashKey: null,
  saltSeparator: null,
  rounds: null,
  memCost: null,
  parallelization: null,
  blockSize: null,
  dkLen: null,
  hashInputOrder: null,
};

test.each<readonly [Partial<HashFlags>, object | undefined]>([
  [{}, undefined],
  [{ hashKey: 'a2V5' }, undefined],
  [{ hashAlgo: 'bcrypt' }, { hashAlgorithm: 'BCRYPT' }],
  [
    { hashAlgo: 'SCRYPT', hashKey: 'a2V5', saltSeparator: 'Bw==', rounds: 8, memCost: 14 },
    { hashAlgorithm: 'SCRYPT', signerKey: 'a2V5', saltSeparator: 'Bw==', rounds: 8, memoryCost: 14 },
  ],
  [
    { hashAlgo: 'STANDARD_SCRYPT', memCost: 1024, parallelization: 16, blockSize: 8, dkLen: 64 },
    { hashAlgorithm: 'STANDARD_SCRYPT', cpuMemCost: 1024, parallelization: 16, blockSize: 8, dkLen: 64 },
  ],
  [
    { hashAlgo: 'SHA256', rounds: 1, hashInputOrder: 'password_first' },
    { hashAlgorithm: 'SHA256', rounds: 1, passwordHashOrder: 'PASSWORD_AND_SALT' },
  ],
])('[H343] the flags %j are parsed as the parameters %j', (flags, parameters) => {
  expect(readHashFlags({ ...NOTHING, ...flags })).toEqual(parameters);
});

test.each<readonly [Partial<HashFlags>, string]>([
  [{ rounds: 8 }, 'Hash parameters require --hash-algo.'],
  [
    { hashAlgo: 'MD5', hashInputOrder: 'x' },
    '--hash-input-order must be SALT_FIRST or PASSWORD_FIRST, not "x".',
  ],
])('[H343] the flags %j are rejected', (flags, sentence) => {
  expect(() => readHashFlags({ ...NOTHING, ...flags })).toThrow(sentence);
});
