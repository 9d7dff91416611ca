import { type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';

/**
 * The part of DER (ITU-T X.690) that certificates need. Each function encodes one value, with its tag and
 * length.
 */

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectId: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  explicit: 0xa0,
} as const;

const DER_TRUE = encode(TAG.boolean, Uint8Array.of(0xff));
export const DER_NULL = encode(TAG.null, Uint8Array.of());

/** Encodes a non-negative integer from its bytes, most significant first. */
export function derInteger(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Uint8Array.of(0) : bytes.subarray(first);
  // In DER, the highest bit is the sign. A zero byte in front keeps the number positive.
  const isHighBitSet = ((digits[0] ?? 0) & 0x80) !== 0;
  return encode(TAG.integer, isHighBitSet ? Buffer.concat([Uint8Array.of(0), digits]) : digits);
}

/** Encodes a bit string of whole bytes. `unusedBits` is the number of unused bits at the end. */
export function derBitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return encode(TAG.bitString, Buffer.concat([Uint8Array.of(unusedBits), bytes]));
}

export function derOctetString(bytes: Uint8Array): Buffer {
  return encode(TAG.octetString, bytes);
}

/** Encodes an object identifier such as `2.5.4.3`. */
export function derObjectId(id: string): Buffer {
  const [first = 0, second = 0, ...others] = id.split('.').map(Number);
  return encode(TAG.objectId, Buffer.from([first * 40 + second, ...others.flatMap(base128)]));
}

export function derText(text: string): Buffer {
  return encode(TAG.utf8, Buffer.from(text));
}

/** Encodes a time, to the second. Years from 2050 on use another type. */
export function derTime(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().slice(0, 19).replace(/\D/g, '')}Z`;
  return digits < '2050'
    ? encode(TAG.utcTime, Buffer.from(digits.slice(2)))
    : encode(TAG.generalizedTime, Buffer.from(digits));
}

export function derSequence(...items: readonly Uint8Array[]): Buffer {
  return encode(TAG.sequence, Buffer.concat(items));
}

export function derSet(...items: readonly Uint8Array[]): Buffer {
  return encode(TAG.set, Buffer.concat(items));
}

/** Encodes an optional part: a value, tagged with the number of the part. */
export function derExplicit(number: number, item: Uint8Array): Buffer {
  return encode(TAG.explicit + number, item);
}

function encode(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(tag), encodeLength(content.length), content]);
}

function encodeLength(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Uint8Array.of(0x80 | bytes.length, ...bytes);
}

/**
 * Encodes a number with seven bits per byte, most significant first. All bytes but the last have the high bit
 * set.
 */
function base128(number: number): readonly number[] {
  const bytes = [number & 0x7f];
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) bytes.unshift(0x80 | (rest & 0x7f));
  return bytes;
}

const SHA256_WITH_RSA = derSequence(derObjectId('1.2.840.113549.1.1.11'), DER_NULL);
const COMMON_NAME = derObjectId('2.5.4.3');
const BASIC_CONSTRAINTS = derObjectId('2.5.29.19');
const KEY_USAGE = derObjectId('2.5.29.15');
const VERSION_3 = derExplicit(0, derInteger(Uint8Array.of(2)));

/** The subject is not a certificate authority, and its key is for digital signatures only. */
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
  /** Must be an RSA key. */
  readonly privateKey: KeyObject;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/**
 * Creates a self-signed certificate (X.509 version 3, in PEM). Verifiers in many languages accept a public key
 * in this form. Source: RFC 5280, section 4.1.
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
