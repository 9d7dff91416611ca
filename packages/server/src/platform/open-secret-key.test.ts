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

test('[I90] a missing key file is made, for its owner alone, and read from then on', () => {
  const made = open();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toBe(`${BASE64}\n`);
  expect(open(undefined, 8).equals(made)).toBe(true);
  expect(made.equals(secretKey(BYTES))).toBe(true);
});

test('[I90] what an interrupted start left is written over', () => {
  writeFileSync(`${path}.new`, 'hal', { mode: 0o644 });
  open();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(existsSync(`${path}.new`)).toBe(false);
});

test('[I90] the key of the environment needs no file', () => {
  expect(open(`${BASE64}\n`).equals(secretKey(BYTES))).toBe(true);
  expect(existsSync(path)).toBe(false);
});

test.each([0o644, 0o640, 0o604, 0o620, 0o601])('[I91] a key file of mode %o is refused', (mode) => {
  writeFileSync(path, BASE64);
  chmodSync(path, mode);
  expect(() => open()).toThrow(
    new StartFailure(
      `Others than its owner may use the key file ${path}. Take that from them with "chmod 600 ${path}".`,
    ),
  );
});

test.each([
  '',
  'short',
  Buffer.alloc(31).toString('base64'),
  Buffer.alloc(33).toString('base64'),
  Buffer.alloc(32).toString('hex'),
  `${BASE64}${BASE64}`,
])('[I91] the key "%s" is refused', (text) => {
  const sentence = 'must hold 32 random bytes in base64, as "openssl rand -base64 32" prints them.';
  expect(() => open(text)).toThrow(new StartFailure(`HEARTH_SECRET_KEY ${sentence}`));
  writeFileSync(path, text, { mode: 0o600 });
  expect(() => open()).toThrow(new StartFailure(`The key file ${path} ${sentence}`));
});

test('[I91] a key file that cannot be read or made is refused with the reason', () => {
  mkdirSync(path, { mode: 0o700 });
  expect(() => open()).toThrow(/^The key file .* cannot be used: .*EISDIR/);
  path = join(base, 'missing', 'key');
  expect(() => open()).toThrow(/^The key file .* cannot be used: .*ENOENT/);
});

test('[I590] where something is sealed, no key is made, and no other key is taken', () => {
  const check = keyFingerprint(secretKey(BYTES));
  expect(() => open(undefined, 7, check)).toThrow(/^There is no key file .* Put back the key file/);
  expect(existsSync(path)).toBe(false);
  const another = Buffer.alloc(32, 8).toString('base64');
  expect(() => open(another, 7, check)).toThrow(/another key than that of HEARTH_SECRET_KEY\. Put back/);
  writeFileSync(path, another, { mode: 0o600 });
  expect(() => open(undefined, 7, check)).toThrow(/another key than that of .*key\. Put back/);
  writeFileSync(path, BASE64);
  expect(open(undefined, 8, check).equals(secretKey(BYTES))).toBe(true);
});

test('[I92] a key for one purpose is none for another', () => {
  const key = secretKey(BYTES);
  expect(deriveKey(key, 'a').equals(deriveKey(key, 'a'))).toBe(true);
  expect(deriveKey(key, 'a').equals(deriveKey(key, 'b'))).toBe(false);
  expect(deriveKey(key, 'a').equals(key)).toBe(false);
  expect(() => secretKey(new Uint8Array(31))).toThrow(RangeError);
});
