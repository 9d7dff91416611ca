import { ADMIN_ROLES, type AdminRole } from '@hearth/core/api/service-account.ts';
import type { RecordPath } from '../../records/store.ts';
import { isClaims } from '../tokens/jwt.ts';

export interface ServiceAccountKey {
  readonly keyId: string;
  /** RSA, SPKI in PEM. Only the owner of the account has the private key. */
  readonly publicKey: string;
}

/** An account with which a program of the project's owner authenticates. */
export interface ServiceAccount {
  readonly email: string;
  readonly projectId: string;
  readonly roles: readonly AdminRole[];
  /** The keys that are valid now. */
  readonly keys: readonly ServiceAccountKey[];
}

/** Returns the account with an address, or `undefined` if it is unknown or disabled. */
export type FindServiceAccount = (email: string) => ServiceAccount | undefined;

const EMAIL = /^([a-z][a-z0-9-]{0,29})@([^@]{1,128})\.hearth\.internal$/;

/**
 * Returns the address of a service account. The domain is reserved for private use, so that no other party can
 * own it.
 */
export function serviceAccountEmail(name: string, projectId: string): string {
  return `${name}@${projectId}.hearth.internal`;
}

/** Returns the name and the project of an address that `serviceAccountEmail` created. */
export function parseServiceAccountEmail(
  email: string,
): { readonly name: string; readonly projectId: string } | undefined {
  const [, name, projectId] = EMAIL.exec(email) ?? [];
  return name === undefined || projectId === undefined ? undefined : { name, projectId };
}

/**
 * A stored service account, at `service-accounts/<project>/<name>` in the records of the installation. Owner:
 * `service-accounts.ts`. History: this is the first format; it stores no version number.
 */
export interface ServiceAccountRecord {
  readonly roles: readonly AdminRole[];
  readonly createdAtMs: number;
  readonly isDisabled: boolean;
}

/**
 * A stored key of a service account, at `service-account-keys/<project>/<name>/<key id>`. History: this is the first
 * format; it stores no version number.
 */
export interface ServiceAccountKeyRecord {
  /** SPKI in PEM. The private key is not stored. */
  readonly publicKey: string;
  readonly createdAtMs: number;
}

/** Encodes a service account. Roles are stored as words of one text. */
export function encodeServiceAccount({ roles, createdAtMs, isDisabled }: ServiceAccountRecord): unknown {
  return { roles: roles.join(' '), createdAtMs, isDisabled };
}

/** Throws if the record has another shape. */
export function decodeServiceAccount(json: unknown): ServiceAccountRecord {
  if (isClaims(json)) {
    const { roles = '', createdAtMs, isDisabled } = json;
    if (typeof roles === 'string' && typeof createdAtMs === 'number' && typeof isDisabled === 'boolean')
      return {
        roles: ADMIN_ROLES.filter((role) => roles.split(' ').includes(role)),
        createdAtMs,
        isDisabled,
      };
  }
  throw new Error('The record of a service account cannot be read.');
}

/** Throws if the record has another shape. */
export function decodeServiceAccountKey(json: unknown): ServiceAccountKeyRecord {
  if (isClaims(json)) {
    const { publicKey, createdAtMs } = json;
    if (typeof publicKey === 'string' && typeof createdAtMs === 'number') return { publicKey, createdAtMs };
  }
  throw new Error('The record of a key of a service account cannot be read.');
}

/**
 * A key with which the server signs in place of a service account, at
 * `service-account-signers/<project>/<name>/<key id>`. `<key id>` names the key with which the account signs in; both
 * are removed together. The signatures are valid only for custom tokens. History: this is the first format; it stores
 * no version number.
 */
export interface BlobSignerRecord {
  readonly signerId: string;
  /** SPKI in PEM. */
  readonly publicKey: string;
  /** PKCS #8 in DER, sealed. */
  readonly sealedPrivateKey: string;
}

/** Throws if the record has another shape. */
export function decodeBlobSigner(json: unknown): BlobSignerRecord {
  if (isClaims(json)) {
    const { signerId, publicKey, sealedPrivateKey } = json;
    if (typeof signerId === 'string' && typeof publicKey === 'string' && typeof sealedPrivateKey === 'string')
      return { signerId, publicKey, sealedPrivateKey };
  }
  throw new Error('The record of a blob signer cannot be read.');
}

/** Returns the path segments of an account. For any other address, the segments name a path without records. */
export function accountSegments(email: string): RecordPath {
  const named = parseServiceAccountEmail(email);
  return named === undefined ? ['-', '-'] : [named.projectId, named.name];
}

/** Returns the path under which the keys of an account are stored by their ids. */
export function keysPath(email: string): RecordPath {
  return ['service-account-keys', ...accountSegments(email)];
}

/** Returns the path under which the blob signers of an account are stored by the ids of the account's keys. */
export function signersPath(email: string): RecordPath {
  return ['service-account-signers', ...accountSegments(email)];
}
