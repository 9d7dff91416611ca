import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import type { HashParameters, ImportedArgon2Parameters } from './hash-parameters.ts';
import { deriveImported, isSameBytes } from './hasher.ts';
import { TaskThreads } from './task-threads.ts';

const threads = new TaskThreads();
afterAll(() => threads[Symbol.asyncDispose]());

const NONE = Buffer.alloc(0);

/** Returns the hash of a password. `length` is that of the stored hash, for algorithms without a fixed length. */
async function derive(
  parameters: HashParameters,
  password: string,
  salt: string | Uint8Array,
  length = 0,
): Promise<Buffer> {
  const hash = new Uint8Array(length);
  const stored = { kind: 'imported', parametersId: 'p', parameters, salt: Buffer.from(salt), hash } as const;
  return Buffer.from(await deriveImported(Buffer.from(password), stored, threads));
}

test('[I68] Firebase scrypt returns the known hash of a password', async () => {
  const parameters: HashParameters = {
    kind: 'firebase-scrypt',
    signerKey: Buffer.from(
      'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
      'base64',
    ),
    saltSeparator: Buffer.from('Bw==', 'base64'),
    rounds: 8,
    memoryCost: 14,
  };
  const hash = await derive(parameters, 'user1password', Buffer.from('42xEC+ixf3L2lw==', 'base64'));
  expect(hash.toString('base64')).toBe(
    'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  );
});

describe('scrypt and PBKDF2, as in RFC 7914 and RFC 6070', () => {
  const scrypt = { kind: 'standard-scrypt', cpuMemCost: 1024, blockSize: 8, parallelization: 16 } as const;
  const scryptHash =
    'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162' +
    '2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640';
  const sha1Hash = '4b007901b765489abead49d926f721d065a429c1';
  const sha256Hash = 'c5e478d59288c841aa530db6845c4c8d962893a001ce4e11a4963873aa98134a';

  test.each<[string, HashParameters, string, string]>([
    ['scrypt', { ...scrypt, saltSeparator: NONE }, 'NaCl', scryptHash],
    ['a separator', { ...scrypt, saltSeparator: Buffer.from('Cl') }, 'Na', scryptHash],
    ['a shorter hash', { ...scrypt, saltSeparator: NONE }, 'NaCl', scryptHash.slice(0, 64)],
    ['PBKDF_SHA1', pbkdf2('sha1', 4096), 'salt', sha1Hash],
    ['PBKDF2_SHA256', pbkdf2('sha256', 4096), 'salt', sha256Hash],
    ['a shorter key', pbkdf2('sha256', 4096), 'salt', sha256Hash.slice(0, 32)],
    ['a separator', pbkdf2('sha256', 4096, 'lt'), 'sa', sha256Hash],
    ['0 rounds, which count as 1', pbkdf2('sha1', 0), 'salt', '0c60c80f961f0e71f3a9b524af6012062fe037a6'],
  ])('[I69] the known hash is returned for %s', async (_name, parameters, salt, hash) => {
    expect((await derive(parameters, 'password', salt, hash.length / 2)).toString('hex')).toBe(hash);
  });

  function pbkdf2(digest: 'sha1' | 'sha256', rounds: number, separator = ''): HashParameters {
    return { kind: 'pbkdf2', digest, rounds, saltSeparator: Buffer.from(separator) };
  }
});

describe('digests', () => {
  const FOX_SALT = 'The quick brown fox ';
  const FOX_PASSWORD = 'jumps over the lazy dog';

  test.each([
    ['md5', '80070713463e7749b90c2dc24911e275'],
    ['sha1', 'de7c9b85b8b78aa6bc8a7a36f70a90701c9db4d9'],
    ['sha256', 'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8'],
    [
      'sha512',
      'b42af09057bac1e2d41708e48a902e09b5ff7f12ab428a4fe86653c73dd248fb' +
        '82f948a549f7b791a5b41915ee4d1ec3935357e4e2317250d0372afa2ebeeb3a',
    ],
  ] as const)('[I70] HMAC_%s returns the known hash in either order', async (digest, hash) => {
    const signerKey = Buffer.from('key');
    const parameters = { kind: 'hmac', digest, signerKey, saltSeparator: NONE, order: 'salt-first' } as const;
    expect((await derive(parameters, FOX_PASSWORD, FOX_SALT)).toString('hex')).toBe(hash);
    const swapped = { ...parameters, order: 'password-first' } as const;
    expect((await derive(swapped, FOX_SALT, FOX_PASSWORD)).toString('hex')).toBe(hash);
    const separated = { ...parameters, saltSeparator: Buffer.from('fox ') };
    expect((await derive(separated, FOX_PASSWORD, 'The quick brown ')).toString('hex')).toBe(hash);
  });

  test.each([
    ['md5', 0, '900150983cd24fb0d6963f7d28e17f72'],
    ['md5', 1, '900150983cd24fb0d6963f7d28e17f72'],
    ['sha1', 1, 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ['sha256', 1, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    // The double hash of Bitcoin.
    ['sha256', 2, '4f8b42c22dd3729b519ba6f68d2da7cc5b2d606d05daed5ad5128cc03e6c6358'],
  ] as const)('[I70] %s with %d rounds returns the known hash', async (digest, rounds, hash) => {
    const parameters = { kind: 'digest', digest, rounds, saltSeparator: NONE, order: 'salt-first' } as const;
    expect((await derive(parameters, 'bc', 'a')).toString('hex')).toBe(hash);
    expect((await derive(parameters, 'abc', '')).toString('hex')).toBe(hash);
  });

  test('[I70][I76] each round digests the bytes of the previous one', async () => {
    let bytes = createHash('sha512').update('saltypassword').digest();
    for (let round = 1; round < 8192; round++) bytes = createHash('sha512').update(bytes).digest();
    const hash = await derive(
      { kind: 'digest', digest: 'sha512', rounds: 8192, saltSeparator: NONE, order: 'salt-first' },
      'password',
      'salty',
    );
    expect(hash).toEqual(bytes);
  });
});

describe('bcrypt', () => {
  test.each([
    ['U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['U*U*', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK'],
    ['U*U*U', '$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a'],
    ['U*U', '$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
    ['U*U', '$2y$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
  ])('[I71][I76] the hash of %s is %s', async (password, text) => {
    expect((await deriveBcrypt(password, text)).toString('latin1')).toBe(text);
    expect((await deriveBcrypt(`${password} `, text)).toString('latin1')).not.toBe(text);
  });

  test('[I71] bytes after the first 72 are ignored', async () => {
    const salt = '$2b$04$CCCCCCCCCCCCCCCCCCCCC.'.padEnd(60, '.');
    const hash = await deriveBcrypt('ü'.repeat(36), salt);
    expect(await deriveBcrypt(`${'ü'.repeat(36)} and more`, salt)).toEqual(hash);
    expect(await deriveBcrypt('ü'.repeat(35), salt)).not.toEqual(hash);
  });

  function deriveBcrypt(password: string, text: string): Promise<Buffer> {
    const stored = { kind: 'imported', parametersId: 'p', salt: NONE, hash: Buffer.from(text) } as const;
    const parameters = { kind: 'bcrypt' } as const;
    return deriveImported(Buffer.from(password), { ...stored, parameters }, threads).then(Buffer.from);
  }
});

describe('Argon2', () => {
  const base: ImportedArgon2Parameters = {
    kind: 'argon2',
    variant: 'argon2id',
    version: 0x13,
    cost: { memoryKiB: 256, passes: 2, parallelism: 1 },
    associatedData: NONE,
  };
  const TWO_LANES = { memoryKiB: 256, passes: 2, parallelism: 2 };

  test.each<[string, Partial<ImportedArgon2Parameters>, string]>([
    ['argon2id', {}, '9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe'],
    ['argon2i', { variant: 'argon2i' }, '89e9029f4637b295beb027056a7336c414fadd43f6b208645281cb214a56452f'],
    [
      'argon2i, version 0x10',
      { variant: 'argon2i', version: 0x10 },
      'fd4dd83d762c49bdeaf57c47bdcd0c2f1babf863fdeb490df63ede9975fccf06',
    ],
    [
      'argon2i, version 0x10, two lanes',
      { variant: 'argon2i', version: 0x10, cost: TWO_LANES },
      'b6c11560a6a9d61eac706b79a2f97d68b4463aa3ad87e00c07e2b01e90c564fb',
    ],
  ])('[I72] %s returns the published hash', async (_name, changes, hash) => {
    expect((await derive({ ...base, ...changes }, 'password', 'somesalt', 32)).toString('hex')).toBe(hash);
  });

  // Two independent implementations returned these hashes.
  test.each([
    ['argon2d', '820cb457e5190698b6b07efef6c62f5fe833d7c2e94481c4cd38160fe9d69499'],
    ['argon2id', '6d1a4c50ccb471c50749e83fd6ac96aff50ce17779bcb65d26943773085e217e'],
  ] as const)(
    '[I72] %s, version 0x10, returns the known hash with associated data',
    async (variant, hash) => {
      const associatedData = Buffer.from('tenant');
      const parameters = { ...base, variant, version: 0x10, cost: TWO_LANES, associatedData } as const;
      expect((await derive(parameters, 'password', 'somesalt', 32)).toString('hex')).toBe(hash);
    },
  );

  test.each(['argon2d', 'argon2i', 'argon2id'] as const)(
    '[I72] associated data, version and length change the hash of %s',
    async (variant) => {
      const associatedData = Buffer.from('tenant');
      const hashes = await Promise.all([
        derive({ ...base, variant }, 'password', 'somesalt', 32),
        derive({ ...base, variant, associatedData }, 'password', 'somesalt', 32),
        derive({ ...base, variant, version: 0x10 }, 'password', 'somesalt', 32),
        derive({ ...base, variant, version: 0x10, associatedData }, 'password', 'somesalt', 32),
        derive({ ...base, variant }, 'password', 'somesalt', 33),
      ]);
      expect(new Set(hashes.map((hash) => hash.toString('hex', 0, 32))).size).toBe(hashes.length);
    },
  );
});

test('[I76] a task that fails is rejected, and the next one succeeds', async () => {
  const broken = derive({ kind: 'bcrypt' }, 'password', '', 3);
  await expect(broken).rejects.toThrow('salt');
  const parameters = { kind: 'digest', digest: 'md5', rounds: 1, saltSeparator: NONE } as const;
  expect(await derive({ ...parameters, order: 'salt-first' }, 'abc', '')).toHaveLength(16);
});

test('[I76] a task that runs when the threads end is rejected, and later tasks too', async () => {
  const ending = new TaskThreads();
  const stored = Buffer.from('$2b$15$CCCCCCCCCCCCCCCCCCCCC.'.padEnd(60, '.'));
  const task = ending.run({ kind: 'bcrypt', password: Buffer.from('password'), stored });
  const rejection = expect(task).rejects.toThrow('ended');
  await ending[Symbol.asyncDispose]();
  await rejection;
  await expect(ending.run({ kind: 'bcrypt', password: Buffer.from('password'), stored })).rejects.toThrow(
    'ended',
  );
});

test.each([
  [[1, 2, 3], [1, 2, 3], true],
  [[1, 2, 3], [1, 2, 4], false],
  [[1, 2, 3], [1, 2], false],
  [[], [], true],
])('[I61] the bytes %j and %j are the same: %s', (left, right, isSame) => {
  expect(isSameBytes(Uint8Array.from(left), Uint8Array.from(right))).toBe(isSame);
});
