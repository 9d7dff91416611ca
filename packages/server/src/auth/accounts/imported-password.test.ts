import { expect, test } from 'vitest';
import { Fields } from '../fields.ts';
import { type HashParameters, parseHashParameters } from '../passwords/hash-parameters.ts';
import { checkImportedHash, parseImportedPassword } from './imported-password.ts';

const BCRYPT: HashParameters = { kind: 'bcrypt' };
const MD5 = parseHashParameters({ hashAlgorithm: 'MD5' });
const HMAC = parseHashParameters({ hashAlgorithm: 'HMAC_SHA512', signerKey: 'a2V5' });
const SCRYPT = parseHashParameters({ hashAlgorithm: 'SCRYPT', signerKey: 'a2V5', rounds: 8, memoryCost: 14 });
const PBKDF2 = parseHashParameters({ hashAlgorithm: 'PBKDF2_SHA256', rounds: 1 });
const LONG_PBKDF2 = parseHashParameters({ hashAlgorithm: 'PBKDF2_SHA256', rounds: 120_000 });
const ARGON2 = parseHashParameters({
  hashAlgorithm: 'ARGON2',
  argon2Parameters: { hashType: 'ARGON2_I', iterations: 1, memoryCostKib: 8, parallelism: 1 },
});

function bcryptHash(start: string): Buffer {
  return Buffer.from(start.padEnd(60, '.'));
}

test.each<[string, HashParameters, number, Uint8Array, RegExp | undefined]>([
  ['bcrypt is accepted', BCRYPT, 0, bcryptHash('$2y$13$'), undefined],
  ['bcrypt with too high a cost is rejected', BCRYPT, 0, bcryptHash('$2y$14$'), /from 4 to 13/],
  ['bcrypt with too low a cost is rejected', BCRYPT, 0, bcryptHash('$2y$03$'), /from 4 to 13/],
  ['bcrypt of an unsupported version is rejected', BCRYPT, 0, bcryptHash('$2x$10$'), /begins with \$2a\$/],
  ['truncated bcrypt is rejected', BCRYPT, 0, bcryptHash('$2a$10$').subarray(1), /60 characters/],
  ['a digest without salt is accepted', MD5, 0, Buffer.alloc(16), undefined],
  ['half a digest is rejected', MD5, 0, Buffer.alloc(8), /must have 16 bytes/],
  ['an HMAC is accepted', HMAC, 8, Buffer.alloc(64), undefined],
  ['an HMAC of another length is rejected', HMAC, 8, Buffer.alloc(32), /must have 64 bytes/],
  ['Firebase scrypt is accepted', SCRYPT, 8, Buffer.alloc(3), undefined],
  [
    'a Firebase scrypt hash that is not as long as the signer key is rejected',
    SCRYPT,
    8,
    Buffer.alloc(64),
    /3 bytes, like the signer key/,
  ],
  ['PBKDF2 is accepted', PBKDF2, 0, Buffer.alloc(16), undefined],
  ['a long PBKDF2 hash with few rounds is accepted', PBKDF2, 0, Buffer.alloc(1024), undefined],
  ['PBKDF2 with many rounds is accepted', LONG_PBKDF2, 0, Buffer.alloc(512), undefined],
  ['a long PBKDF2 hash with many rounds is rejected', LONG_PBKDF2, 0, Buffer.alloc(513), /at most 512 bytes/],
  ['an empty hash is rejected', PBKDF2, 0, Buffer.alloc(0), /16 to 1024 bytes/],
  ['a huge hash is rejected', PBKDF2, 0, Buffer.alloc(1025), /16 to 1024 bytes/],
  ['Argon2 is accepted', ARGON2, 8, Buffer.alloc(4), undefined],
  ['Argon2 with a short salt is rejected', ARGON2, 7, Buffer.alloc(32), /at least 8 bytes/],
  ['a short Argon2 hash is rejected', ARGON2, 8, Buffer.alloc(3), /4 to 1024 bytes/],
  ['a huge salt is rejected', MD5, 1025, Buffer.alloc(16), /at most 1024 bytes/],
])('[I74] %s', (_name, parameters, saltBytes, hash, problem) => {
  const found = checkImportedHash(parameters, Buffer.alloc(saltBytes), hash);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(problem);
});

const SHA256 = parseHashParameters({ hashAlgorithm: 'SHA256', rounds: 1 });
const STANDARD_SCRYPT = parseHashParameters({
  hashAlgorithm: 'STANDARD_SCRYPT',
  cpuMemCost: 2,
  blockSize: 1,
  parallelization: 1,
});
const HASH = Buffer.from('f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8', 'hex');
const SALT = Buffer.from('deadbeef', 'hex');
const HEX_TEXT = Buffer.from(HASH.toString('hex')).toString('base64url');

test.each<[string, HashParameters, string, Buffer, string, Buffer]>([
  ['a digest in base64', SHA256, HASH.toString('base64'), HASH, SALT.toString('base64url'), SALT],
  ['a digest in hex', SHA256, HASH.toString('hex'), HASH, 'deadbeef', SALT],
  ['a digest in uppercase hex', SHA256, HASH.toString('hex').toUpperCase(), HASH, 'DEADBEEF', SALT],
  [
    'a digest in hex that is encoded again in base64url',
    SHA256,
    HEX_TEXT,
    HASH,
    SALT.toString('base64'),
    SALT,
  ],
  ['an HMAC in hex', HMAC, Buffer.alloc(64, HASH).toString('hex'), Buffer.alloc(64, HASH), '', Buffer.of()],
  ['PBKDF2 in hex', PBKDF2, HASH.toString('hex'), HASH, 'deadbeef', SALT],
  ['scrypt in hex', STANDARD_SCRYPT, HASH.toString('hex'), HASH, 'deadbeef', SALT],
  [
    'hex digits of mixed case as base64',
    PBKDF2,
    'aA'.repeat(16),
    Buffer.from('aA'.repeat(16), 'base64'),
    '',
    Buffer.of(),
  ],
])('[I685] the import decodes %s', (_name, parameters, passwordHash, hash, salt, saltBytes) => {
  const parsed = parseImportedPassword(new Fields({ passwordHash, salt }), { id: 'p', parameters });
  expect([parsed?.hash, parsed?.salt].map((bytes) => Buffer.from(bytes ?? []))).toEqual([hash, saltBytes]);
});

test.each<[string, HashParameters, object, RegExp]>([
  ['hex of another length', SHA256, { passwordHash: 'ab'.repeat(20) }, /must have 32 bytes/],
  [
    'hex with a salt in base64',
    SHA256,
    { passwordHash: HASH.toString('hex'), salt: 'c2FsdA==' },
    /salt must be in hex/,
  ],
  ['a salt alone', SHA256, { salt: 'c2FsdA==' }, /salt is given without passwordHash/],
])('[I685] %s is rejected', (_name, parameters, json, message) => {
  expect(() => parseImportedPassword(new Fields({ ...json }), { id: 'p', parameters })).toThrow(message);
});
