import { generateKeyPairSync, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** A self-signed certificate and its key, both in PEM. */
export interface OwnCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Tags of the ASN.1 values in a certificate. */
const TAG = {
  integer: 0x02,
  bits: 0x03,
  nothing: 0x05,
  octets: 0x04,
  name: 0x06,
  text: 0x0c,
  time: 0x17,
  list: 0x30,
  set: 0x31,
  version: 0xa0,
  extensions: 0xa3,
  dnsName: 0x82,
  address: 0x87,
} as const;

/** Encoded object identifiers. */
const COMMON_NAME = Buffer.from('550403', 'hex');
const ALTERNATIVE_NAME = Buffer.from('551d11', 'hex');
const ECDSA_WITH_SHA256 = Buffer.from('2a8648ce3d040302', 'hex');
const RSA_WITH_SHA256 = Buffer.from('2a864886f70d01010b', 'hex');

function encode(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function encodeText(tag: number, value: string): Buffer {
  return encode(tag, Buffer.from(value));
}

/** Encodes a bit string of whole bytes. */
function encodeBits(value: Buffer): Buffer {
  return encode(TAG.bits, Buffer.from([0]), value);
}

/** Creates a certificate for one host name or IPv4 address, valid from 2000 to 2049. SAML signatures need an RSA key. */
export function makeCertificate(hostname: string, kind: 'ec' | 'rsa' = 'ec'): OwnCertificate {
  const { publicKey, privateKey } =
    kind === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const algorithm =
    kind === 'ec'
      ? encode(TAG.list, encode(TAG.name, ECDSA_WITH_SHA256))
      : encode(TAG.list, encode(TAG.name, RSA_WITH_SHA256), encode(TAG.nothing));
  const commonName = encode(TAG.list, encode(TAG.name, COMMON_NAME), encodeText(TAG.text, hostname));
  const name = encode(TAG.list, encode(TAG.set, commonName));
  const validity = ['000101000000Z', '491231235959Z'].map((time) => encodeText(TAG.time, time));
  const alternative = isIPv4(hostname)
    ? encode(TAG.address, Buffer.from(hostname.split('.').map(Number)))
    : encodeText(TAG.dnsName, hostname);
  const alternatives = encode(TAG.list, alternative);
  const extension = encode(TAG.list, encode(TAG.name, ALTERNATIVE_NAME), encode(TAG.octets, alternatives));
  const body = encode(
    TAG.list,
    encode(TAG.version, encode(TAG.integer, Buffer.from([2]))),
    encode(TAG.integer, Buffer.from([1])),
    algorithm,
    name,
    encode(TAG.list, ...validity),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    encode(TAG.extensions, encode(TAG.list, extension)),
  );
  const certificate = encode(TAG.list, body, algorithm, encodeBits(sign('sha256', body, privateKey)));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
