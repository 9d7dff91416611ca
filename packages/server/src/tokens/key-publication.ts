import type { PublishedKeys } from './key-ring.ts';
import { PUBLICATION_AGE_SEC } from './key-schedule.ts';
import { tokenIssuer } from './token-use.ts';
import { ALGORITHM } from './verify-signature.ts';

/** The value of `Cache-Control` with which keys are published. */
export const KEY_CACHE_CONTROL = `public, max-age=${PUBLICATION_AGE_SEC}, must-revalidate`;

/** A public key, as RFC 7517 writes it. */
export interface PublishedJwk {
  readonly kty: 'RSA';
  readonly n: string;
  readonly e: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: typeof ALGORITHM;
}

export interface Jwks {
  readonly keys: PublishedJwk[];
}

/** The keys of a use as a set of JSON web keys, public parts only. */
export function jwks(ring: PublishedKeys): Jwks {
  const keys = ring.published().map(({ keyId, publicKey }): PublishedJwk => {
    const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
    return { kty: 'RSA', n, e, kid: keyId, use: 'sig', alg: ALGORITHM };
  });
  return { keys };
}

/** The keys of a use as certificates in PEM, by the ids of the keys. */
export function certificatesByKeyId(ring: PublishedKeys): Readonly<Record<string, string>> {
  return Object.fromEntries(ring.published().map(({ keyId, certificate }) => [keyId, certificate]));
}

/** What a verifier of OpenID Connect asks about the ID tokens of a project. */
export function openIdConfiguration(projectId: string, jwksUrl: string): Readonly<Record<string, unknown>> {
  return {
    issuer: tokenIssuer('idToken', projectId),
    jwks_uri: jwksUrl,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [ALGORITHM],
  };
}
