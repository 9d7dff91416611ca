import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StartFailure } from './failures.ts';
import { deriveKey, keyFingerprint, openSecretKey, type SecretKey, secretKey } from './secret-key.ts';

const BYTES = new Uint8Array(32).fill(7);
const BASE64 = Buffer.from(BYTES).toString('base64');

let base: string;
let path: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'hearth-secret-key-'));
  path = join(base, 'key');
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

function open(environment?: string, fill = 7, check?: string): SecretKey {
  return openSecretKey({
    environment,
    path,
    check,
    randomBytes: (count) => new Uint8Array(count).fill(fill),
  });
}

test('[I90] a missing key file is created, accessible only to its owner, and read by later starts', () => {
  const made = open();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toBe(`${BASE64}\n`);
  expect(open(undefined, 8).equals(made)).toBe(true);
  expect(made.equals(secretKey(BYTES))).toBe(true);
});

test('[I90] a partial file of an interrupted start is overwritten', () => {
  writeFileSync(`${path}.new`, 'hal', { mode: 0o644 });
  open();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(existsSync(`${path}.new`)).toBe(false);
});

test('[I90] a key from the environment needs no file', () => {
  expect(open(`${BASE64}\n`).equals(secretKey(BYTES))).toBe(true);
  expect(existsSync(path)).toBe(false);
});

test.each([0o644, 0o640, 0o604, 0o620, 0o601])('[I91] a key file with mode %o is rejected', (mode) => {
  writeFileSync(path, BASE64);
  chmodSync(path, mode);
  expect(() => open()).toThrow(
    new StartFailure(`Other users can access the key file ${path}. Restrict it with "chmod 600 ${path}".`),
  );
});

test.each([
  '',
  'short',
  Buffer.alloc(31).toString('base64'),
  Buffer.alloc(33).toString('base64'),
  Buffer.alloc(32).toString('hex'),
  `${BASE64}${BASE64}`,
])('[I91] the key "%s" is rejected', (text) => {
  const sentence = 'must contain 32 random bytes in base64, as printed by "openssl rand -base64 32".';
  expect(() => open(text)).toThrow(new StartFailure(`HEARTH_SECRET_KEY ${sentence}`));
  writeFileSync(path, text, { mode: 0o600 });
  expect(() => open()).toThrow(new StartFailure(`The key file ${path} ${sentence}`));
});

test('[I91] a key file that cannot be read or created is rejected with the reason', () => {
  mkdirSync(path, { mode: 0o700 });
  expect(() => open()).toThrow(/^The key file .* cannot be used: .*EISDIR/);
  path = join(base, 'missing', 'key');
  expect(() => open()).toThrow(/^The key file .* cannot be used: .*ENOENT/);
});

test('[I590] once a secret is sealed, no key is created and no other key is accepted', () => {
  const check = keyFingerprint(secretKey(BYTES));
  expect(() => open(undefined, 7, check)).toThrow(/^There is no key file .* Restore the key file/);
  expect(existsSync(path)).toBe(false);
  const another = Buffer.alloc(32, 8).toString('base64');
  expect(() => open(another, 7, check)).toThrow(/a key other than that of HEARTH_SECRET_KEY\. Restore/);
  writeFileSync(path, another, { mode: 0o600 });
  expect(() => open(undefined, 7, check)).toThrow(/a key other than that of .*key\. Restore/);
  writeFileSync(path, BASE64);
  expect(open(undefined, 8, check).equals(secretKey(BYTES))).toBe(true);
});

test('[I92] a key derived for one purpose differs from the keys for other purposes', () => {
  const key = secretKey(BYTES);
  expect(deriveKey(key, 'a').equals(deriveKey(key, 'a'))).toBe(true);
  expect(deriveKey(key, 'a').equals(deriveKey(key, 'b'))).toBe(false);
  expect(deriveKey(key, 'a').equals(key)).toBe(false);
  expect(() => secretKey(new Uint8Array(31))).toThrow(RangeError);
});
