import { isClaims } from './claims.ts';

/**
 * A signing key as it is stored, at `signing-keys/<use>/<key id>` of the book of the installation.
 * Owner: `signing-keys.ts`. History: the first form has no number.
 */
export interface KeyRecord {
  readonly keyId: string;
  /** PKCS #8 in DER, sealed for `keyContext`. */
  readonly sealedPrivateKey: string;
  readonly certificate: string;
  readonly createdAtMs: number;
  /** When it begins to sign, by which all verifiers know it. */
  readonly signsFromMs: number;
}

export type StoredKeyRecord = Omit<KeyRecord, 'keyId'>;

export function encodeKeyRecord({ keyId: _, ...stored }: KeyRecord): StoredKeyRecord {
  return stored;
}

/** Throws when the record has another shape. */
export function decodeKeyRecord(keyId: string, json: unknown): KeyRecord {
  if (isClaims(json)) {
    const { sealedPrivateKey, certificate, createdAtMs, signsFromMs } = json;
    if (
      typeof sealedPrivateKey === 'string' &&
      typeof certificate === 'string' &&
      typeof createdAtMs === 'number' &&
      typeof signsFromMs === 'number'
    )
      return { keyId, sealedPrivateKey, certificate, createdAtMs, signsFromMs };
  }
  throw new Error(`The record of the signing key ${keyId} cannot be read.`);
}
