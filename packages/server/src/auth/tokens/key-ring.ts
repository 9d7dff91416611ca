import type { KeyObject } from 'node:crypto';
import { type TokenUse, tokenIssuer } from './id-token.ts';
import { ALGORITHM } from './jwt.ts';

/** A key pair that signs tokens. */
export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Self-signed certificate in PEM. */
  readonly certificate: string;
}

/** The keys of one use that verifiers may need: current, upcoming and previous ones. */
export interface PublishedKeys {
  published(): readonly SigningKey[];
}

/** The current keys of one use. */
export interface KeyRing extends PublishedKeys {
  readonly use: TokenUse;
  /** Returns the key that signs. */
  current(): SigningKey;
  /** Returns the public key with an id that valid tokens may name. */
  find(keyId: string): KeyObject | undefined;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long verifiers may cache published keys, in s; the value in `Cache-Control`. */
export const PUBLICATION_AGE_SEC = 21_600;

/** Time after which every verifier has fetched the keys again, even through a cache. */
const SPREAD_MS = 2 * PUBLICATION_AGE_SEC * 1_000;

/** How long a key signs before its successor is created. With `SPREAD_MS`, the key signs for less than 90 days. */
const SIGNING_MS = 80 * DAY_MS;

/** Lifetime of the longest-lived token of each use. */
const LIFETIME_MS: Readonly<Record<TokenUse, number>> = {
  idToken: HOUR_MS,
  sessionCookie: 14 * DAY_MS,
  appCheck: 7 * DAY_MS,
};

/** When a key starts to sign. */
export interface Scheduled {
  readonly keyId: string;
  readonly signsFromMs: number;
}

/** Returns keys in the order in which they sign. */
export function inOrder<K extends Scheduled>(keys: readonly K[]): readonly K[] {
  return keys.toSorted((a, b) => a.signsFromMs - b.signsFromMs || (a.keyId < b.keyId ? -1 : 1));
}

/**
 * Returns when a key that is published now starts to sign. The first key signs immediately, because no verifier has
 * fetched keys before.
 */
export function firstSigningMs(existing: readonly Scheduled[], nowMs: number): number {
  return existing.length === 0 ? nowMs : nowMs + SPREAD_MS;
}

/**
 * Returns the key that signs: the latest that has started, or the earliest if none has started according to the
 * clock.
 */
export function findCurrent<K extends Scheduled>(keys: readonly K[], nowMs: number): K | undefined {
  const ordered = inOrder(keys);
  return ordered.findLast(({ signsFromMs }) => signsFromMs <= nowMs) ?? ordered[0];
}

/** Returns whether it is time to publish the next key. */
export function isSuccessorDue(keys: readonly Scheduled[], nowMs: number): boolean {
  const latest = inOrder(keys).at(-1);
  return latest === undefined || latest.signsFromMs + SIGNING_MS <= nowMs;
}

/** Returns keys whose last token has expired everywhere, because their successor has signed for long enough. */
export function outlivedKeys<K extends Scheduled>(
  use: TokenUse,
  keys: readonly K[],
  nowMs: number,
): readonly K[] {
  const ordered = inOrder(keys);
  return ordered.filter((_, at) => {
    const successor = ordered[at + 1];
    return successor !== undefined && successor.signsFromMs + SPREAD_MS + LIFETIME_MS[use] <= nowMs;
  });
}

/** The value of `Cache-Control` for published keys. */
export const KEY_CACHE_CONTROL = `public, max-age=${PUBLICATION_AGE_SEC}, must-revalidate`;

/** A public key in the format of RFC 7517. */
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

/** Returns the public keys of a use as a JSON Web Key Set. */
export function jwks(ring: PublishedKeys): Jwks {
  const keys = ring.published().map(({ keyId, publicKey }): PublishedJwk => {
    const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
    return { kty: 'RSA', n, e, kid: keyId, use: 'sig', alg: ALGORITHM };
  });
  return { keys };
}

/** Returns the keys of a use as certificates in PEM, by key id. */
export function certificatesByKeyId(ring: PublishedKeys): Readonly<Record<string, string>> {
  return Object.fromEntries(ring.published().map(({ keyId, certificate }) => [keyId, certificate]));
}

/** Returns the OpenID Connect configuration with which verifiers check the ID tokens of a project. */
export function openIdConfiguration(projectId: string, jwksUrl: string): Readonly<Record<string, unknown>> {
  return {
    issuer: tokenIssuer('idToken', projectId),
    jwks_uri: jwksUrl,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [ALGORITHM],
  };
}
