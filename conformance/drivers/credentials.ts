import type { JsonObject } from './json.ts';

/** Returns an unsigned token of the given user, as the emulators issue it. `issuedAtSec` is seconds since 1970. */
export function unsignedToken(uid: string, issuedAtSec = 0, ownClaims: JsonObject = {}): string {
  const encode = (value: unknown) =>
    btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const claims = {
    iss: 'https://securetoken.google.com/demo',
    aud: 'demo',
    iat: issuedAtSec,
    exp: issuedAtSec + 3600,
    sub: uid,
    user_id: uid,
    firebase: { sign_in_provider: 'custom', identities: {} },
    ...ownClaims,
  };
  return `${encode({ alg: 'none', type: 'JWT' })}.${encode(claims)}.`;
}

const PERIOD_MS = 30_000;
const DIGITS = 6;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * Returns the 6 digits that an authenticator app shows for a secret in base32 (RFC 6238, SHA-1), now or `stepsAhead`
 * steps of 30 s from now.
 */
export async function totpCode(secret: string, stepsAhead = 0): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-1' };
  const key = await crypto.subtle.importKey('raw', decodeBase32(secret), algorithm, false, ['sign']);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.floor(Date.now() / PERIOD_MS) + stepsAhead));
  const mac = new DataView(await crypto.subtle.sign('HMAC', key, counter.buffer));
  const offset = mac.getUint8(mac.byteLength - 1) & 0xf;
  const number = mac.getUint32(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** Returns a code that an app shows in none of these steps: the current one, the 10 before it, and the 10 after it. */
export async function wrongTotpCode(secret: string): Promise<string> {
  const steps = Array.from({ length: 21 }, (_, index) => index - 10);
  const near = new Set(await Promise.all(steps.map((step) => totpCode(secret, step))));
  const candidates = Array.from({ length: near.size + 1 }, (_, index) => String(index).padStart(DIGITS, '0'));
  return candidates.find((code) => !near.has(code)) ?? '';
}

function decodeBase32(text: string): Uint8Array<ArrayBuffer> {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
}
