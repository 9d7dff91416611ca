import { type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import {
  DER_NULL,
  DER_TRUE,
  derBitString,
  derExplicit,
  derInteger,
  derObjectId,
  derOctetString,
  derSequence,
  derSet,
  derText,
  derTime,
} from './der.ts';

const SHA256_WITH_RSA = derSequence(derObjectId('1.2.840.113549.1.1.11'), DER_NULL);
const COMMON_NAME = derObjectId('2.5.4.3');
const BASIC_CONSTRAINTS = derObjectId('2.5.29.19');
const KEY_USAGE = derObjectId('2.5.29.15');
const VERSION_3 = derExplicit(0, derInteger(Uint8Array.of(2)));

/** No authority, and for digital signatures only. */
const EXTENSIONS = derExplicit(
  3,
  derSequence(
    derSequence(BASIC_CONSTRAINTS, DER_TRUE, derOctetString(derSequence())),
    derSequence(KEY_USAGE, DER_TRUE, derOctetString(derBitString(Uint8Array.of(0x80), 7))),
  ),
);

const signBytes = promisify(sign);

export interface CertificateSpec {
  readonly name: string;
  /** At most 19 bytes. */
  readonly serialNumber: Uint8Array;
  readonly publicKey: KeyObject;
  /** RSA. */
  readonly privateKey: KeyObject;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/**
 * A self-signed certificate (X.509 version 3, in PEM): the form in which verifiers in many languages take a public key.
 * Source: RFC 5280, section 4.1.
 */
export async function selfSignedCertificate(spec: CertificateSpec): Promise<string> {
  const name = derSequence(derSet(derSequence(COMMON_NAME, derText(spec.name))));
  const content = derSequence(
    VERSION_3,
    derInteger(spec.serialNumber),
    SHA256_WITH_RSA,
    name,
    derSequence(derTime(spec.notBeforeMs), derTime(spec.notAfterMs)),
    name,
    spec.publicKey.export({ format: 'der', type: 'spki' }),
    EXTENSIONS,
  );
  const signature = await signBytes('sha256', content, spec.privateKey);
  return encodePem(derSequence(content, SHA256_WITH_RSA, derBitString(signature)));
}

function encodePem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
