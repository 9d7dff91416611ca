import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { JsonObject } from '../../auth/fields.ts';
import { SourceFile } from '../transfer/source-file.ts';
import { type SampleResult, verifySample } from './verify-import.ts';

const directory = mkdtempSync(join(tmpdir(), 'hearth-verify-'));
afterAll(() => rmSync(directory, { recursive: true }));

function sourceOf(user: JsonObject): SourceFile {
  const path = join(directory, 'users.json');
  writeFileSync(path, JSON.stringify({ users: [{ localId: 'bob' }, { localId: 'ann', ...user }] }));
  return new SourceFile(path);
}

function verify(
  user: JsonObject,
  parameters?: JsonObject,
  password = 'correct horse',
): Promise<SampleResult> {
  const source = sourceOf({ email: 'Ann@example.com', ...user });
  return verifySample({ source, email: 'ann@example.com', password, parameters, sets: { own: MD5 } });
}

const MD5 = { hashAlgorithm: 'MD5' };
const HMAC = { hashAlgorithm: 'HMAC_SHA256', signerKey: Buffer.from('key').toString('base64') };
const salt = Buffer.from('salt').toString('base64');
const hmac = (input: string) => createHmac('sha256', 'key').update(input).digest('base64');
const MD5_HEX = createHash('md5').update('correct horse').digest('hex');

test.each<readonly [string, JsonObject, JsonObject | undefined, SampleResult]>([
  ['an HMAC', { salt, passwordHash: hmac('correct horsesalt') }, HMAC, match()],
  [
    'an HMAC in the other order',
    { salt, passwordHash: hmac('saltcorrect horse') },
    HMAC,
    mismatch('--hash-input-order SALT_FIRST'),
  ],
  ['an HMAC of another password', { salt, passwordHash: hmac('saltbattery') }, HMAC, mismatch()],
  ['a digest in hex', { passwordHash: MD5_HEX }, MD5, match()],
  [
    'a digest whose parameters are in a file',
    { passwordHash: MD5_HEX, hashParametersId: 'own' },
    undefined,
    match(),
  ],
  [
    'a password of an emulator',
    { passwordHash: 'fakeHash:salt=s:password=correct horse' },
    undefined,
    match(),
  ],
])('[H524] the known password of %s', async (_name, user, parameters, result) => {
  expect(await verify(user, parameters)).toEqual(result);
});

function match(): SampleResult {
  return { isMatch: true, suggestedFlag: undefined };
}

function mismatch(suggestedFlag?: string): SampleResult {
  return { isMatch: false, suggestedFlag };
}

test.each<readonly [string, JsonObject, JsonObject | undefined, RegExp]>([
  ['another address', { email: 'x@example.com' }, MD5, /has no account with the email address/],
  ['no hash', {}, MD5, /has no password hash in the file/],
  ['no parameters', { passwordHash: MD5_HEX }, undefined, /Specify the hash algorithm with --hash-algo/],
  ['invalid parameters', { passwordHash: MD5_HEX }, { hashAlgorithm: 'MD6' }, /hashAlgorithm must be one of/],
  ['a hash that no password has', { passwordHash: 'AAAA' }, MD5, /The hash must have 16 bytes/],
])('[H524] a file with %s cannot be verified', async (_name, user, parameters, message) => {
  await expect(verify(user, parameters)).rejects.toThrow(message);
});
