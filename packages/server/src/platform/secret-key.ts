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

/** 32 bytes that nobody else knows. A `KeyObject`, which prints without them. */
export type SecretKey = KeyObject & { readonly [brand]: 'SecretKey' };

const SECRET_KEY_BYTES = 32;

/** The key of exactly `SECRET_KEY_BYTES` bytes. */
export function secretKey(bytes: Uint8Array): SecretKey {
  if (bytes.length !== SECRET_KEY_BYTES) throw new RangeError(`A secret key has ${SECRET_KEY_BYTES} bytes.`);
  return createSecretKey(bytes) as SecretKey;
}

/** Another key for one purpose, by HKDF-SHA-256: what is done with it says nothing about the key it comes from. */
export function deriveKey(key: SecretKey, purpose: string): SecretKey {
  return secretKey(new Uint8Array(hkdfSync('sha256', key, '', `hearth ${purpose}`, SECRET_KEY_BYTES)));
}

/** Base64url text by which a key is known again, and which says nothing about it. */
export function keyCheck(key: SecretKey): string {
  return deriveKey(key, 'check').export().toString('base64url');
}

/** The key of secrets, if the environment gives it. No flag does, because everybody can read command lines. */
export function findSecretKeyText(environment: Environment = process.env): string | undefined {
  return environment['HEARTH_SECRET_KEY'] || undefined;
}

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** 32 bytes are 43 digits of base64 and one sign of padding. */
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;
const HOW_TO_MAKE = `${SECRET_KEY_BYTES} random bytes in base64, as "openssl rand -base64 ${SECRET_KEY_BYTES}" prints them`;

const WHERE_IT_GOES =
  'Put back the key file that belongs to this data directory, or name it with --key-file, or give HEARTH_SECRET_KEY.';

export interface KnownKeySource {
  /** Value of the environment variable; when there is one, no file is looked at. */
  readonly environment: string | undefined;
  /** The key file: one line of base64. */
  readonly path: string;
  /** `keyCheck` of the key that the store needs; `undefined` when nothing in it is sealed. */
  readonly check: string | undefined;
}

export interface SecretKeySource extends KnownKeySource {
  readonly randomBytes: (count: number) => Uint8Array;
}

/**
 * The key under which secrets are kept; its file is made when it is missing and nothing is sealed yet. Throws a
 * `StartFailure` as `findSecretKey` does, and when the key that the store needs is not there.
 */
export function openSecretKey(source: SecretKeySource): SecretKey {
  const { path, check, randomBytes } = source;
  const known = findSecretKey(source);
  if (known !== undefined) return known;
  if (check !== undefined)
    throw new StartFailure(
      `There is no key file ${path}, and secrets in the data directory are sealed under the key that it held. ${WHERE_IT_GOES}`,
    );
  return explainFailure(path, () => createKeyFile(path, randomBytes(SECRET_KEY_BYTES)));
}

/**
 * The key that is there, if any. Throws a `StartFailure` when it has the wrong form, when others than the owner may read
 * its file, and when it is not the key that the store needs.
 */
export function findSecretKey({ environment, path, check }: KnownKeySource): SecretKey | undefined {
  const key =
    environment === undefined
      ? explainFailure(path, () => readKeyFile(path))
      : parseKeyText(environment, 'HEARTH_SECRET_KEY');
  if (key !== undefined && check !== undefined && keyCheck(key) !== check)
    throw new StartFailure(
      `Secrets in the data directory are sealed under another key than that of ${environment === undefined ? path : 'HEARTH_SECRET_KEY'}. ${WHERE_IT_GOES}`,
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
  if (!BASE64.test(trimmed)) throw new StartFailure(`${name} must hold ${HOW_TO_MAKE}.`);
  return secretKey(Buffer.from(trimmed, 'base64'));
}

/** `undefined` when there is no such file. */
function readKeyFile(path: string): SecretKey | undefined {
  const file = openExisting(path);
  if (file === undefined) return undefined;
  try {
    // Asked of the open file, so that it cannot be another one by the time it is read.
    const { mode } = fstatSync(file);
    if ((mode & OTHERS) !== 0)
      throw new StartFailure(
        `Others than its owner may use the key file ${path}. Take that from them with "chmod 600 ${path}".`,
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

/** Written beside its place and moved there, so that a crash leaves no half of it. */
function createKeyFile(path: string, bytes: Uint8Array): SecretKey {
  const unfinished = `${path}.new`;
  const file = openSync(unfinished, 'w', OWNER_ONLY);
  try {
    // What an earlier attempt left keeps its mode when it is opened again.
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
