import { type KeyObject, sign } from 'node:crypto';

/** Tags of the ASN.1 values in a certificate. */
const TAG = {
  integer: 0x02,
  bits: 0x03,
  nothing: 0x05,
  name: 0x06,
  text: 0x0c,
  time: 0x18,
  list: 0x30,
  set: 0x31,
  version: 0xa0,
} as const;

/** Encoded object identifiers. */
const COMMON_NAME = Buffer.from('550403', 'hex');
const RSA_WITH_SHA256 = Buffer.from('2a864886f70d01010b', 'hex');

function encode(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const size = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** Encodes a time as `YYYYMMDDHHMMSSZ`. */
function encodeTime(timeMs: number): Buffer {
  const digits = new Date(timeMs).toISOString().replace(/\..*|\D/g, '');
  return encode(TAG.time, Buffer.from(`${digits}Z`));
}

/** An RSA key, and the fields of its certificate. */
export interface CertificateContent {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  /** At most 64 characters. */
  readonly name: string;
  readonly fromMs: number;
  readonly untilMs: number;
  /** At least one byte, the first of which is below 128 and not 0. */
  readonly serial: Uint8Array;
}

/**
 * Returns a certificate that an RSA key signs for itself, in PEM. SAML uses certificates as envelopes of public keys: the
 * other side stores them, and no authority vouches for them. Source: RFC 5280, section 4.1.
 */
export function createOwnCertificate(content: CertificateContent): string {
  const { publicKey, privateKey } = content;
  const algorithm = encode(TAG.list, encode(TAG.name, RSA_WITH_SHA256), encode(TAG.nothing));
  const commonName = encode(
    TAG.list,
    encode(TAG.name, COMMON_NAME),
    encode(TAG.text, Buffer.from(content.name)),
  );
  const name = encode(TAG.list, encode(TAG.set, commonName));
  const body = encode(
    TAG.list,
    encode(TAG.version, encode(TAG.integer, Buffer.from([2]))),
    encode(TAG.integer, content.serial),
    algorithm,
    name,
    encode(TAG.list, encodeTime(content.fromMs), encodeTime(content.untilMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = encode(TAG.bits, Buffer.from([0]), sign('sha256', body, privateKey));
  const lines =
    encode(TAG.list, body, algorithm, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
