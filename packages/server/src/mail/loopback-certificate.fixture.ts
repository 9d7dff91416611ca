import { sign } from 'node:crypto';
import {
  DER_NULL,
  derBitString,
  derExplicit,
  derInteger,
  derObjectId,
  derOctetString,
  derSequence,
  derSet,
  derText,
  derTime,
} from '../auth/tokens/certificate.ts';
import { takeRsaKeyPair } from '../auth/tokens/rsa-key-pairs.fixture.ts';

const SHA256_WITH_RSA = derSequence(derObjectId('1.2.840.113549.1.1.11'), DER_NULL);
const COMMON_NAME = derObjectId('2.5.4.3');
const ALTERNATIVE_NAMES = derObjectId('2.5.29.17');
/** The subject alternative name 127.0.0.1: tag 7, length 4, four bytes. */
const LOOPBACK = Uint8Array.of(0x87, 4, 127, 0, 0, 1);
const NOT_BEFORE_MS = Date.UTC(2020, 0);
const NOT_AFTER_MS = Date.UTC(2120, 0);

/** Returns a key and a self-signed certificate for 127.0.0.1, both in PEM. */
export function loopbackCertificate(): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = takeRsaKeyPair();
  const name = derSequence(derSet(derSequence(COMMON_NAME, derText('127.0.0.1'))));
  const content = derSequence(
    derExplicit(0, derInteger(Uint8Array.of(2))),
    derInteger(Uint8Array.of(1)),
    SHA256_WITH_RSA,
    name,
    derSequence(derTime(NOT_BEFORE_MS), derTime(NOT_AFTER_MS)),
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    derExplicit(3, derSequence(derSequence(ALTERNATIVE_NAMES, derOctetString(derSequence(LOOPBACK))))),
  );
  const signature = derBitString(sign('sha256', content, privateKey));
  const der = derSequence(content, SHA256_WITH_RSA, signature);
  return {
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}
