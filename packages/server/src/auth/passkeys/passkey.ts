import { createHash } from 'node:crypto';
import type { JsonObject } from '../fields.ts';
import { StoredRecord } from '../stored-record.ts';

/** A key pair of an authenticator, with which the user signs in. The server has only the public key. */
export interface Passkey {
  /** Chosen by the authenticator, at most 1,023 bytes. Base64url. Unique in the project. */
  readonly credentialId: string;
  /** The public key in the format of COSE. Base64url. */
  readonly publicKey: string;
  /** How often the authenticator has signed, as of the latest sign-in; always 0 for most authenticators. */
  readonly counter: number;
  /** How browsers reach the authenticator: `internal`, `hybrid`, `usb`, … */
  readonly transports: readonly string[];
  /** Whether the authenticator may copy the key to other devices. Never changes. */
  readonly isBackupEligible: boolean;
  readonly isBackedUp: boolean;
  /** The name by which the user recognizes the passkey. */
  readonly name: string;
  /** Whether the address of the account was verified when the passkey was added. */
  readonly wasAddedVerified: boolean;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** The sign-in method of passkeys, and the kind of the second factor that they are. */
export const PASSKEY = 'passkey';

/** Longest credential id and user handle of WebAuthn, in bytes. */
export const MAX_CREDENTIAL_ID_BYTES = 1_023;
export const MAX_HANDLE_BYTES = 64;
/** Enough for a key of 4,096 bits. */
export const MAX_PUBLIC_KEY_BYTES = 1_024;
export const MAX_PASSKEY_NAME_LENGTH = 64;
/** More transports than browsers know. */
export const MAX_TRANSPORTS = 8;

/** Maximum number of passkeys of one account. */
export const MAX_PASSKEYS = 20;

/** Encodes a passkey for the record of its account. The record store has no lists, so transports are one text. */
export function encodePasskey({ transports, ...passkey }: Passkey): JsonObject {
  return { ...passkey, transports: transports.join(' ') };
}

export function decodePasskey(json: unknown): Passkey {
  const record = new StoredRecord(json);
  return {
    credentialId: record.text('credentialId') ?? '',
    publicKey: record.text('publicKey') ?? '',
    counter: record.number('counter') ?? 0,
    transports: (record.text('transports') ?? '').split(' ').filter((transport) => transport !== ''),
    isBackupEligible: record.flag('isBackupEligible'),
    isBackedUp: record.flag('isBackedUp'),
    name: record.text('name') ?? '',
    wasAddedVerified: record.flag('wasAddedVerified'),
    createdAtMs: record.number('createdAtMs') ?? 0,
    lastUsedAtMs: record.number('lastUsedAtMs'),
  };
}

/**
 * Returns the hash by which the account of a passkey is found, and which names the passkey in tokens: credential ids
 * can be longer than a key of the record store.
 */
export function passkeyKey(credentialId: string): string {
  return createHash('sha256').update(Buffer.from(credentialId, 'base64url')).digest('base64url');
}

/** Returns a passkey as the API shows it. */
export function passkeyJson(passkey: Passkey): JsonObject {
  const { lastUsedAtMs } = passkey;
  return {
    credentialId: passkey.credentialId,
    name: passkey.name,
    createdAt: new Date(passkey.createdAtMs).toISOString(),
    lastUsedAt: lastUsedAtMs === null ? undefined : new Date(lastUsedAtMs).toISOString(),
    backedUp: passkey.isBackedUp,
  };
}
