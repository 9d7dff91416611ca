import type { JsonObject } from './json.ts';

/** An unsigned token of the given user, as the emulators issue them. `issuedAtSec` is seconds since 1970. */
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
