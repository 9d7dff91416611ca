import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StartFailure } from './failures.ts';
import type { Environment } from './option.ts';

declare const brand: unique symbol;

/** A secret key of 32 bytes. A `KeyObject` does not show the bytes when it is printed. */
export type SecretKey = KeyObject & { readonly [brand]: 'SecretKey' };

const SECRET_KEY_BYTES = 32;

/** Returns a key. Throws a `RangeError` unless there are exactly `SECRET_KEY_BYTES` bytes. */
export function secretKey(bytes: Uint8Array): SecretKey {
  if (bytes.length !== SECRET_KEY_BYTES)
    throw new RangeError(`A secret key must have ${SECRET_KEY_BYTES} bytes.`);
  return createSecretKey(bytes) as SecretKey;
}

/**
 * Derives another key for one purpose, by HKDF-SHA-256. Uses of the derived key reveal nothing about the
 * original key.
 */
export function deriveKey(key: SecretKey, purpose: string): SecretKey {
  return secretKey(new Uint8Array(hkdfSync('sha256', key, '', `hearth ${purpose}`, SECRET_KEY_BYTES)));
}

/** Returns base64url text that identifies a key and reveals nothing about it. */
export function keyFingerprint(key: SecretKey): string {
  return deriveKey(key, 'check').export().toString('base64url');
}

/**
 * Returns the secret key from the environment, if set. No flag sets it, because all users of the machine can
 * read command lines.
 */
export function findSecretKeyText(environment: Environment = process.env): string | undefined {
  return environment['HEARTH_SECRET_KEY'] || undefined;
}

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** 32 bytes are 43 digits of base64 and one padding character. */
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;
const HOW_TO_MAKE = `${SECRET_KEY_BYTES} random bytes in base64, as printed by "openssl rand -base64 ${SECRET_KEY_BYTES}"`;

const HOW_TO_SUPPLY =
  'Restore the key file that belongs to this data directory, name it with --key-file, or set HEARTH_SECRET_KEY.';

export interface KnownKeySource {
  /** Value of the environment variable. If it is set, no file is read. */
  readonly environment: string | undefined;
  /** Path of the key file, which contains one line of base64. */
  readonly path: string;
  /** Fingerprint of the key that the store needs; `undefined` if the store contains no sealed secrets. */
  readonly check: string | undefined;
}

export interface SecretKeySource extends KnownKeySource {
  readonly randomBytes: (count: number) => Uint8Array;
}

/**
 * Returns the key that seals the stored secrets. Creates the key file if it is missing and nothing is sealed
 * yet. Throws a `StartFailure` as `findSecretKey` does, and if the key that the store needs is missing or the file
 * cannot be created.
 */
export function openSecretKey(source: SecretKeySource): SecretKey {
  const { path, check, randomBytes } = source;
  const known = findSecretKey(source);
  if (known !== undefined) return known;
  if (check !== undefined)
    throw new StartFailure(
      `There is no key file ${path}, but secrets in the data directory are sealed under the missing key. ${HOW_TO_SUPPLY}`,
    );
  return explainFailure(path, () => createKeyFile(path, randomBytes(SECRET_KEY_BYTES)));
}

/**
 * Returns the existing key, if any. Throws a `StartFailure` if the key is malformed, if users other than the
 * owner may access its file, or if it is not the key that the store needs.
 */
export function findSecretKey({ environment, path, check }: KnownKeySource): SecretKey | undefined {
  const key =
    environment === undefined
      ? explainFailure(path, () => readKeyFile(path))
      : parseKeyText(environment, 'HEARTH_SECRET_KEY');
  if (key !== undefined && check !== undefined && keyFingerprint(key) !== check)
    throw new StartFailure(
      `Secrets in the data directory are sealed under a key other than that of ${environment === undefined ? path : 'HEARTH_SECRET_KEY'}. ${HOW_TO_SUPPLY}`,
    );
  return key;
}

function explainFailure<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (cause) {
    if (cause instanceof StartFailure) throw cause;
    throw new StartFailure(`The key file ${path} cannot be used: ${String(cause)}`, cause);
  }
}

function parseKeyText(text: string, name: string): SecretKey {
  const trimmed = text.trim();
  if (!BASE64.test(trimmed)) throw new StartFailure(`${name} must contain ${HOW_TO_MAKE}.`);
  return secretKey(Buffer.from(trimmed, 'base64'));
}

/** Reads the key file. Returns `undefined` if the file does not exist. */
function readKeyFile(path: string): SecretKey | undefined {
  const file = openExisting(path);
  if (file === undefined) return undefined;
  try {
    // Checks the open file, so that the file cannot be replaced between the check and the read.
    const { mode } = fstatSync(file);
    if ((mode & OTHERS) !== 0)
      throw new StartFailure(
        `Other users can access the key file ${path}. Restrict it with "chmod 600 ${path}".`,
      );
    return parseKeyText(readFileSync(file, 'latin1'), `The key file ${path}`);
  } finally {
    closeSync(file);
  }
}

function openExisting(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw cause;
  }
}

/** Writes the key file under a temporary name and renames it, so that a crash leaves no partial file. */
function createKeyFile(path: string, bytes: Uint8Array): SecretKey {
  const unfinished = `${path}.new`;
  const file = openSync(unfinished, 'w', OWNER_ONLY);
  try {
    // A file that an earlier attempt created keeps its mode when it is opened again.
    fchmodSync(file, OWNER_ONLY);
    writeSync(file, `${Buffer.from(bytes).toString('base64')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, path);
  syncDirectory(dirname(path));
  return secretKey(bytes);
}

function syncDirectory(path: string): void {
  const directory = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
