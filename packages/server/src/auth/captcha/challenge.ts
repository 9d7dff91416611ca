import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { isJsonObject } from '../fields.ts';

/**
 * A proof of work in the format of ALTCHA version 2: the client searches for a counter with which PBKDF2 of nonce and
 * counter, with the salt, returns a key that begins with the prefix.
 */
export interface Challenge {
  readonly parameters: ChallengeParameters;
  /** HMAC-SHA256 of the JSON text of the parameters, in hex. */
  readonly signature: string;
}

/** The members are in alphabetical order, at every level: this is the order of the signed text. */
interface ChallengeParameters {
  readonly algorithm: typeof ALGORITHM;
  /** Number of rounds of PBKDF2. */
  readonly cost: number;
  readonly data: ChallengeScope;
  readonly expiresAt: number;
  readonly keyLength: number;
  readonly keyPrefix: string;
  readonly nonce: string;
  readonly salt: string;
}

/** The request for which a challenge is valid. */
export interface ChallengeScope {
  /** The action for which the client needs the challenge. */
  readonly a: string;
  /** A keyed hash of the client's network. */
  readonly i: string;
  /** A keyed hash of the API key. */
  readonly k: string;
  /** The tenant; an empty text for none. */
  readonly t: string;
}

/** A counter that solves a challenge, and the key that it leads to. */
export interface Solution {
  readonly counter: number;
  readonly derivedKey: Buffer;
  /** How long the client took by its own account, in ms; `null` if it reports no time. */
  readonly timeMs: number | null;
}

/** A challenge with its solution, as a client sends both. Neither is checked yet. */
export interface SolvedChallenge {
  readonly challenge: Challenge;
  readonly solution: Solution;
}

const ALGORITHM = 'PBKDF2/SHA-256';
export const KEY_BYTES = 32;
/** The first byte is 0 for one of 256 counters on average. */
const KEY_PREFIX = '00';
const TOKEN_PREFIX = 'alt2.';
/** Tokens are ASCII. */
const MAX_TOKEN_BYTES = 4_096;
const HEX_32 = /^[0-9a-f]{32}$/;
const HEX_64 = /^[0-9a-f]{64}$/;
const MAX_COUNTER = 0xffff_ffff;

/** Returns a signed challenge. `expiresAt` is in s, `nonce` and `salt` are 16 bytes in hex. */
export function signChallenge(
  given: Pick<ChallengeParameters, 'cost' | 'expiresAt' | 'nonce' | 'salt'> & {
    readonly scope: ChallengeScope;
  },
  key: KeyObject,
): Challenge {
  const { cost, scope, expiresAt, nonce, salt } = given;
  const parameters = {
    algorithm: ALGORITHM,
    cost,
    data: { a: scope.a, i: scope.i, k: scope.k, t: scope.t },
    expiresAt,
    keyLength: KEY_BYTES,
    keyPrefix: KEY_PREFIX,
    nonce,
    salt,
  } as const;
  return { parameters, signature: signatureOf(parameters, key) };
}

/** Returns whether this server made the challenge with the key. */
export function isSigned({ parameters, signature }: Challenge, key: KeyObject): boolean {
  return timingSafeEqual(Buffer.from(signatureOf(parameters, key)), Buffer.from(signature));
}

function signatureOf(parameters: ChallengeParameters, key: KeyObject): string {
  return createHmac('sha256', key).update(JSON.stringify(parameters)).digest('hex');
}

/** Returns the challenge and the solution of a token, or `undefined` for any other text. */
export function parseCaptchaToken(token: string): SolvedChallenge | undefined {
  if (!token.startsWith(TOKEN_PREFIX) || token.length > MAX_TOKEN_BYTES) return undefined;
  const json = parseJson(Buffer.from(token.slice(TOKEN_PREFIX.length), 'base64url').toString());
  if (!isJsonObject(json)) return undefined;
  const challenge = parseChallenge(json['c']);
  const solution = parseSolution(json['s']);
  return challenge && solution && { challenge, solution };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Reads the members that `signChallenge` writes. Other members are ignored, because the signature does not include them.
 */
function parseChallenge(json: unknown): Challenge | undefined {
  if (!isJsonObject(json) || !isJsonObject(json['parameters'])) return undefined;
  const { signature } = json;
  const { algorithm, cost, data, expiresAt, keyLength, keyPrefix, nonce, salt } = json['parameters'];
  if (algorithm !== ALGORITHM || keyLength !== KEY_BYTES || keyPrefix !== KEY_PREFIX) return undefined;
  if (!isWhole(cost) || !isWhole(expiresAt) || !isJsonObject(data)) return undefined;
  if (!isHex(nonce, HEX_32) || !isHex(salt, HEX_32) || !isHex(signature, HEX_64)) return undefined;
  const { a, i, k, t } = data;
  if (typeof a !== 'string' || typeof i !== 'string' || typeof k !== 'string' || typeof t !== 'string')
    return undefined;
  return {
    parameters: { algorithm, cost, data: { a, i, k, t }, expiresAt, keyLength, keyPrefix, nonce, salt },
    signature,
  };
}

function parseSolution(json: unknown): Solution | undefined {
  if (!isJsonObject(json)) return undefined;
  const { counter, derivedKey, time } = json;
  if (!isWhole(counter) || counter < 0 || counter > MAX_COUNTER) return undefined;
  // A key without the prefix is wrong with any counter.
  if (!isHex(derivedKey, HEX_64) || !derivedKey.startsWith(KEY_PREFIX)) return undefined;
  return {
    counter,
    derivedKey: Buffer.from(derivedKey, 'hex'),
    timeMs: typeof time === 'number' && time >= 0 ? Math.round(time) : null,
  };
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

function isHex(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value);
}

const COUNTER_BYTES = 4;

/** Returns the input from which a client derives the key: the nonce, and the counter with its highest byte first. */
export function passwordOf(nonce: string, counter: number): Buffer {
  const bytes = Buffer.from(nonce, 'hex');
  const password = Buffer.alloc(bytes.length + COUNTER_BYTES);
  bytes.copy(password);
  password.writeUInt32BE(counter, bytes.length);
  return password;
}
