import { Secret } from 'otpauth';

/** So many bytes that nobody can predict, which have a form in base32 that people can copy. */
export function randomSecret(byteCount: number, randomBytes: (count: number) => Uint8Array): Secret {
  return Secret.fromHex(Buffer.from(randomBytes(byteCount)).toString('hex'));
}
