import type { UsedSecondFactor } from '../tokens/id-token.ts';
import type { JsonObject } from './fields.ts';

/** What a sign-in brings that its tokens keep saying. */
export interface SignInFacts {
  /** How the first proof was given, as tokens call it: `password`, `anonymous`, `custom`, … */
  readonly provider: string;
  readonly secondFactor: UsedSecondFactor | null;
  /** What a custom token adds to the tokens of this session. */
  readonly sessionClaims: JsonObject | null;
  /** What another identity provider said of the person. */
  readonly signInAttributes: JsonObject | null;
}

/** What an ordinary first proof brings along. */
export function factsOf(provider: string): SignInFacts {
  return { provider, secondFactor: null, sessionClaims: null, signInAttributes: null };
}

/** Who uses a session, as far as it can be told. */
export interface Device {
  readonly userAgent: string;
  /** The network of the address: `192.0.2.0/24` or `2001:db8:1:2::/64`. */
  readonly network: string;
}

/** A sign-in that lasts: the family of refresh tokens that come of it, on one device or browser. */
export interface Session extends SignInFacts {
  readonly id: string;
  readonly uid: string;
  readonly createdAtMs: number;
  /** When the person proved who they are. */
  readonly authTimeSec: number;
  readonly lastUsedAtMs: number;
  readonly device: Device;
  /** Goes into each token, so that the key of the server alone makes none. Base64url. */
  readonly seed: string;
  /** Which token of the family is the present one, counted from 0. */
  readonly generation: number;
  /** Does each use of the present token make another the present one? */
  readonly isRotating: boolean;
  /** When the present token became so, and the one before it. */
  readonly rotatedAtMs: number;
  readonly previousRotatedAtMs: number;
}
