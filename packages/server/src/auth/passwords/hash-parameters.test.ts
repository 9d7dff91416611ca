import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HashParametersError, parseHashParameters } from './hash-parameters.ts';

const KEY = { signerKey: 'a2V5' };
const SCRYPT = { hashAlgorithm: 'SCRYPT', rounds: 8, memoryCost: 14, ...KEY };
const STANDARD = {
  hashAlgorithm: 'STANDARD_SCRYPT',
  cpuMemCost: 1024,
  blockSize: 8,
  parallelization: 1,
  dkLen: 64,
};
const ARGON2_PARAMETERS = {
  hashType: 'ARGON2_ID',
  iterations: 2,
  memoryCostKib: 1024,
  parallelism: 1,
  hashLengthBytes: 32,
};

function argon2(changes: object): object {
  return { hashAlgorithm: 'ARGON2', argon2Parameters: { ...ARGON2_PARAMETERS, ...changes } };
}

test.each<[string, object, object]>([
  ['SCRYPT', SCRYPT, { kind: 'firebase-scrypt', rounds: 8, memoryCost: 14, signerKey: Buffer.from('key') }],
  ['STANDARD_SCRYPT', STANDARD, { kind: 'standard-scrypt', cpuMemCost: 1024, blockSize: 8 }],
  ['HMAC_SHA512', { hashAlgorithm: 'HMAC_SHA512', ...KEY }, { kind: 'hmac', digest: 'sha512' }],
  ['HMAC_SHA256', { hashAlgorithm: 'HMAC_SHA256', ...KEY }, { kind: 'hmac', digest: 'sha256' }],
  ['HMAC_SHA1', { hashAlgorithm: 'HMAC_SHA1', ...KEY }, { kind: 'hmac', digest: 'sha1' }],
  ['HMAC_MD5', { hashAlgorithm: 'HMAC_MD5', ...KEY }, { kind: 'hmac', digest: 'md5' }],
  ['MD5', { hashAlgorithm: 'MD5' }, { kind: 'digest', digest: 'md5', rounds: 0 }],
  ['SHA1', { hashAlgorithm: 'SHA1', rounds: 8192 }, { kind: 'digest', digest: 'sha1', rounds: 8192 }],
  ['SHA256', { hashAlgorithm: 'SHA256', rounds: '12' }, { kind: 'digest', digest: 'sha256', rounds: 12 }],
  [
    'SHA512',
    { hashAlgorithm: 'SHA512', rounds: 1, passwordHashOrder: 'PASSWORD_AND_SALT' },
    { kind: 'digest', digest: 'sha512', order: 'password-first' },
  ],
  ['PBKDF_SHA1', { hashAlgorithm: 'PBKDF_SHA1', rounds: 0 }, { kind: 'pbkdf2', digest: 'sha1', rounds: 0 }],
  [
    'PBKDF2_SHA256',
    { hashAlgorithm: 'PBKDF2_SHA256', rounds: 120_000 },
    { kind: 'pbkdf2', digest: 'sha256', rounds: 120_000 },
  ],
  ['BCRYPT', { hashAlgorithm: 'BCRYPT' }, { kind: 'bcrypt' }],
  [
    'ARGON2',
    argon2({}),
    { variant: 'argon2id', version: 0x13, cost: { memoryKiB: 1024, passes: 2, parallelism: 1 } },
  ],
  [
    'ARGON2 with version 0x10',
    argon2({ hashType: 'ARGON2_D', version: 'VERSION_10', associatedData: 'YQ' }),
    { variant: 'argon2d', version: 0x10, associatedData: Buffer.from('a') },
  ],
])('[I73] the parameters of %s are parsed', (_name, json, parameters) => {
  expect(parseHashParameters(json)).toMatchObject(parameters);
});

test.each<[object, string]>([
  [{ hashAlgorithm: 'HMAC_SHA512', ...KEY }, 'password-first'],
  [{ hashAlgorithm: 'HMAC_MD5', ...KEY, passwordHashOrder: 'UNSPECIFIED_ORDER' }, 'password-first'],
  [{ hashAlgorithm: 'HMAC_MD5', ...KEY, passwordHashOrder: 'SALT_AND_PASSWORD' }, 'salt-first'],
  [{ hashAlgorithm: 'SHA512' }, 'salt-first'],
  [{ hashAlgorithm: 'MD5', passwordHashOrder: 'UNSPECIFIED_ORDER' }, 'salt-first'],
  [{ hashAlgorithm: 'SHA1', passwordHashOrder: 'PASSWORD_AND_SALT' }, 'password-first'],
])('[I70] the input order of %j is %s', (json, order) => {
  expect(parseHashParameters(json)).toMatchObject({ order });
});

test.each([
  ['the URL-safe alphabet', '-_-_', [0xfb, 0xff, 0xbf]],
  ['the standard alphabet', '+/+/', [0xfb, 0xff, 0xbf]],
  ['padding', 'Bw==', [7]],
  ['no padding', 'Bw', [7]],
])('[I73] bytes in base64 with %s are parsed', (_name, text, bytes) => {
  expect(parseHashParameters({ ...SCRYPT, saltSeparator: text })).toMatchObject({
    saltSeparator: Buffer.from(bytes),
  });
});

test.each<[unknown, RegExp]>([
  [null, /^The request must be an object/],
  [{}, /^hashAlgorithm must be one of SCRYPT, /],
  [{ hashAlgorithm: 'toString' }, /^hashAlgorithm must be one of/],
  [{ ...SCRYPT, signerKey: undefined }, /^signerKey is missing/],
  [{ ...SCRYPT, signerKey: '%' }, /^signerKey must be bytes in base64/],
  [{ ...SCRYPT, saltSeparator: 7 }, /^saltSeparator must be bytes/],
  [{ ...SCRYPT, rounds: 0 }, /^rounds must be a whole number from 1 to 8/],
  [{ ...SCRYPT, rounds: 9 }, /^rounds/],
  [{ ...SCRYPT, rounds: undefined }, /^rounds/],
  [{ ...SCRYPT, memoryCost: 15 }, /^memoryCost must be a whole number from 1 to 14/],
  [{ ...STANDARD, cpuMemCost: 1000 }, /^cpuMemCost must be a power of two/],
  [{ ...STANDARD, cpuMemCost: 2 ** 18 }, /^cpuMemCost and blockSize need more than 128 MiB/],
  [{ ...STANDARD, cpuMemCost: 2 ** 16, blockSize: 1 }, /^cpuMemCost must be less than 65536/],
  [{ ...STANDARD, parallelization: 17 }, /^parallelization must be a whole number from 1 to 16/],
  [{ ...STANDARD, dkLen: 1025 }, /^dkLen/],
  [{ hashAlgorithm: 'HMAC_MD5' }, /^signerKey is missing/],
  [{ hashAlgorithm: 'MD5', rounds: 8193 }, /^rounds must be a whole number from 0 to 8192/],
  [{ hashAlgorithm: 'SHA1', rounds: 0 }, /^rounds must be a whole number from 1 to 8192/],
  [{ hashAlgorithm: 'SHA1', passwordHashOrder: 'BOTH' }, /^passwordHashOrder must be one of/],
  [{ hashAlgorithm: 'PBKDF_SHA1', rounds: 120_001 }, /^rounds must be a whole number from 0 to 120000/],
  [{ hashAlgorithm: 'PBKDF_SHA1', rounds: 1.5 }, /^rounds/],
  [{ hashAlgorithm: 'ARGON2' }, /^argon2Parameters must be an object/],
  [argon2({ hashType: undefined }), /^hashType must be one of ARGON2_D, ARGON2_I, ARGON2_ID/],
  [argon2({ version: 'VERSION_11' }), /^version must be one of/],
  [argon2({ iterations: 17 }), /^iterations must be a whole number from 1 to 16/],
  [argon2({ memoryCostKib: 32_769 }), /^memoryCostKib must be a whole number from 8 to 32768/],
  [argon2({ memoryCostKib: 127, parallelism: 16 }), /^memoryCostKib must be a whole number from 128/],
  [argon2({ parallelism: 17 }), /^parallelism must be a whole number from 1 to 16/],
  [argon2({ hashLengthBytes: 3 }), /^hashLengthBytes must be a whole number from 4 to 1024/],
])('[I73] %j is rejected', (json, message) => {
  expect(() => parseHashParameters(json)).toThrow(message);
});

test('[I73] arbitrary JSON is parsed or rejected with a HashParametersError', () => {
  const algorithm = fc.constantFrom('SCRYPT', 'STANDARD_SCRYPT', 'HMAC_MD5', 'SHA1', 'PBKDF_SHA1', 'ARGON2');
  fc.assert(
    fc.property(
      algorithm,
      fc.dictionary(fc.constantFrom(...Object.keys(STANDARD)), fc.jsonValue()),
      (name, json) => {
        try {
          parseHashParameters({ ...json, hashAlgorithm: name });
        } catch (error) {
          expect(error).toBeInstanceOf(HashParametersError);
        }
      },
    ),
  );
});
