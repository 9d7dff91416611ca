import { addressLayers } from '../../platform/address-layers.ts';
import type { JsonObject } from '../fields.ts';
import type { ClientInfo } from '../request.ts';
import { StoredRecord } from '../stored-record.ts';
import type { UsedSecondFactor } from '../tokens/id-token.ts';

/** Data of a sign-in that all tokens of its session contain. */
export interface SignInClaims {
  /** The sign-in method, as tokens name it: `password`, `anonymous`, `custom`, … */
  readonly provider: string;
  readonly secondFactor: UsedSecondFactor | null;
  /** Claims that a custom token adds to the tokens of this session. */
  readonly sessionClaims: JsonObject | null;
  /** Attributes of the user from another identity provider. */
  readonly signInAttributes: JsonObject | null;
}

/** Returns the claims of a sign-in without a second factor, session claims and attributes of another provider. */
export function claimsForProvider(provider: string): SignInClaims {
  return { provider, secondFactor: null, sessionClaims: null, signInAttributes: null };
}

/** The device that uses a session, as far as the server can recognize it. */
export interface Device {
  readonly userAgent: string;
  /** The network of the IP address: `192.0.2.0/24` or `2001:db8:1:2::/64`. */
  readonly network: string;
}

/** A lasting sign-in on one device or browser, with a family of refresh tokens that replace one another. */
export interface Session extends SignInClaims {
  readonly id: string;
  readonly uid: string;
  readonly createdAtMs: number;
  /** When the user authenticated. */
  readonly authTimeSec: number;
  readonly lastUsedAtMs: number;
  readonly device: Device;
  /** An input of each token's MAC, so that the server's key alone is not enough to create tokens. Base64url. */
  readonly seed: string;
  /** The number of the current token within the family, counted from 0. */
  readonly generation: number;
  /** Whether each use of the current token replaces it by the next one. */
  readonly isRotating: boolean;
  /** When the current token was issued; `previousRotatedAtMs`: when the one before it was issued. */
  readonly rotatedAtMs: number;
  readonly previousRotatedAtMs: number;
}

/**
 * Returns a session as stored at `sessions/<id>`: the fields of `Session`, with objects of free shape as JSON
 * text.
 */
export function encodeSession({ id: _id, ...session }: Session): JsonObject {
  return { ...session, ...encodeSignInClaims(session) };
}

/** Returns the claims of a sign-in as they are stored in several kinds of records. */
export function encodeSignInClaims({
  provider,
  secondFactor,
  sessionClaims,
  signInAttributes,
}: SignInClaims): JsonObject {
  return {
    provider,
    secondFactor: secondFactor === null ? null : { ...secondFactor },
    sessionClaims: sessionClaims === null ? null : JSON.stringify(sessionClaims),
    signInAttributes: signInAttributes === null ? null : JSON.stringify(signInAttributes),
  };
}

export function decodeSession(id: string, json: unknown): Session {
  const record = new StoredRecord(json);
  const device = record.record('device');
  return {
    id,
    uid: record.text('uid') ?? '',
    createdAtMs: record.number('createdAtMs') ?? 0,
    authTimeSec: record.number('authTimeSec') ?? 0,
    lastUsedAtMs: record.number('lastUsedAtMs') ?? 0,
    ...decodeSignInClaims(record),
    device: { userAgent: device?.text('userAgent') ?? '', network: device?.text('network') ?? '' },
    seed: record.text('seed') ?? '',
    generation: record.number('generation') ?? 0,
    isRotating: record.flag('isRotating'),
    rotatedAtMs: record.number('rotatedAtMs') ?? 0,
    previousRotatedAtMs: record.number('previousRotatedAtMs') ?? 0,
  };
}

export function decodeSignInClaims(record: StoredRecord): SignInClaims {
  return {
    provider: record.text('provider') ?? '',
    secondFactor: decodeFactor(record.record('secondFactor')),
    sessionClaims: parseObject(record.text('sessionClaims')),
    signInAttributes: parseObject(record.text('signInAttributes')),
  };
}

function decodeFactor(record: StoredRecord | undefined): UsedSecondFactor | null {
  if (record === undefined) return null;
  return { kind: record.text('kind') ?? '', enrollmentId: record.text('enrollmentId') ?? '' };
}

function parseObject(text: string | null): JsonObject | null {
  return text === null ? null : (JSON.parse(text) as JsonObject);
}

const MAX_USER_AGENT_LENGTH = 256;

export function deviceOf({ userAgent, address }: ClientInfo): Device {
  return { userAgent: userAgent.slice(0, MAX_USER_AGENT_LENGTH), network: addressLayers(address).network };
}
