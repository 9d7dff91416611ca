import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { addressLayers } from '../../platform/address-layers.ts';
import type { Clock } from '../../platform/clock.ts';
import type { PasswordHasher } from '../passwords/hasher.ts';
import {
  type Challenge,
  type ChallengeScope,
  isSigned,
  KEY_BYTES,
  parseCaptchaToken,
  passwordOf,
  signChallenge,
} from './challenge.ts';
import { Difficulty } from './difficulty.ts';
import { IssuedChallenges } from './issued-challenges.ts';
import { type SolvingTime, SolvingTimes } from './solving-times.ts';

/**
 * The actions for which clients solve challenges: those of the official SDK, `verify` for its older verifier, and
 * `appCheck` for an App Check token.
 */
export const CAPTCHA_ACTIONS = [
  'signUpPassword',
  'signInWithPassword',
  'getOobCode',
  'sendVerificationCode',
  'mfaSmsEnrollment',
  'mfaSmsSignIn',
  'verify',
  'appCheck',
] as const;
export type CaptchaAction = (typeof CAPTCHA_ACTIONS)[number];

/** The request for which a challenge is solved. */
export interface CaptchaRequest {
  readonly projectId: string;
  readonly apiKey: string;
  /** An empty text for none. */
  readonly tenantId: string;
  /** The IP address of the client. */
  readonly address: string;
  readonly action: CaptchaAction;
}

/** `invalid`: not solved, used before, expired, or for another app. */
export type CaptchaResult = 'valid' | 'invalid' | 'other-action';

/** How long a client may take to solve a challenge and to use the solution, in ms. */
export const CHALLENGE_MS = 120_000;

const NONCE_KEY_BYTES = 16;
const SALT_BYTES = 16;
const KEY_LENGTH = 32;
/** Length of a keyed hash in a challenge, in hex digits. */
const HASH_LENGTH = 16;

/**
 * Number of events that a solution counts as, for both networks, if it comes from another network than its challenge.
 * They double the cost.
 */
const EVENTS_OF_OTHER_NETWORK = 3;

export interface CaptchaOptions {
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly passwords: Pick<PasswordHasher, 'derivePbkdf2'>;
}

/**
 * Issues proofs of work and checks their solutions. The keys exist only in memory, so a restart ends all challenges, and
 * no solution can be used again after one.
 */
export class Captcha {
  readonly #options: CaptchaOptions;
  readonly #key: KeyObject;
  readonly #issued: IssuedChallenges;
  readonly #difficulty = new Difficulty();
  readonly #solvingTimes = new SolvingTimes();

  constructor(options: CaptchaOptions) {
    const { randomBytes } = options;
    this.#options = options;
    this.#key = createSecretKey(randomBytes(KEY_LENGTH));
    this.#issued = new IssuedChallenges(randomBytes(NONCE_KEY_BYTES), randomBytes);
  }

  /** Returns a new challenge. `cost` is the cost that the project sets for a network without failures. */
  issue(request: CaptchaRequest, cost: number): Challenge {
    const { clock, randomBytes } = this.#options;
    const { projectId, action } = request;
    const nowMs = clock.nowMs();
    const scope = this.#scopeOf(request);
    return signChallenge(
      {
        cost: this.#difficulty.costOf(cost, { network: scope.i, projectId, action }, nowMs),
        scope,
        expiresAt: Math.floor((nowMs + CHALLENGE_MS) / 1_000),
        nonce: this.#issued.issue(),
        salt: Buffer.from(randomBytes(SALT_BYTES)).toString('hex'),
      },
      this.#key,
    );
  }

  /**
   * Checks the token of a request. The cheap checks come first, and the first token that passes them decides whether
   * its challenge is solved. In a flood of tokens, each token therefore costs one HMAC, and each challenge one
   * derivation. Rejects with `PasswordHasherBusy`.
   */
  async check(token: string, request: CaptchaRequest): Promise<CaptchaResult> {
    const { clock, passwords } = this.#options;
    const nowMs = clock.nowMs();
    const scope = this.#scopeOf(request);
    const given = parseCaptchaToken(token);
    if (given === undefined || !isSigned(given.challenge, this.#key)) return 'invalid';
    const { data, expiresAt, nonce, salt, cost } = given.challenge.parameters;
    if (expiresAt * 1_000 <= nowMs || data.k !== scope.k || data.t !== scope.t) return 'invalid';
    if (data.a !== scope.a) return 'other-action';
    if (!this.#issued.use(nonce)) return 'invalid';
    if (data.i !== scope.i) {
      // Phones move between networks.
      this.#difficulty.recordEvents(data.i, EVENTS_OF_OTHER_NETWORK, nowMs);
      this.#difficulty.recordEvents(scope.i, EVENTS_OF_OTHER_NETWORK, nowMs);
    }
    const { counter, derivedKey, timeMs } = given.solution;
    const key = await passwords.derivePbkdf2(
      passwordOf(nonce, counter),
      Buffer.from(salt, 'hex'),
      { rounds: cost, lengthBytes: KEY_BYTES },
      addressLayers(request.address).network,
    );
    if (timingSafeEqual(key, derivedKey)) {
      this.#difficulty.recordSolved(request.projectId, request.action, nowMs);
      // A client cannot take longer than the challenge is valid.
      if (timeMs !== null && timeMs <= CHALLENGE_MS)
        this.#solvingTimes.record(request.projectId, request.action, timeMs);
      return 'valid';
    }
    this.#difficulty.recordEvents(scope.i, 1, nowMs);
    return 'invalid';
  }

  /** Returns how long clients of the project say that they took to solve challenges, for each action with reports. */
  solvingTimes(projectId: string): readonly SolvingTime<CaptchaAction>[] {
    return this.#solvingTimes.list(projectId, CAPTCHA_ACTIONS);
  }

  /** Counts a failure of a client, or a message that it caused: the next challenges for its network cost more. */
  recordEvent(address: string): void {
    this.#difficulty.recordEvents(this.#networkHash(address), 1, this.#options.clock.nowMs());
  }

  #scopeOf({ projectId, apiKey, tenantId, address, action }: CaptchaRequest): ChallengeScope {
    return {
      a: action,
      i: this.#networkHash(address),
      k: this.#hash('key', `${projectId}\0${apiKey}`),
      // The SDK does not name the tenant to its older verifier.
      t: action === 'verify' ? '' : tenantId,
    };
  }

  #networkHash(address: string): string {
    return this.#hash('network', addressLayers(address).network);
  }

  /**
   * Returns a keyed hash of a text. The key also signs challenges, so the purpose keeps the hash from being a
   * signature.
   */
  #hash(purpose: 'key' | 'network', text: string): string {
    return createHmac('sha256', this.#key).update(`${purpose}\0${text}`).digest('hex').slice(0, HASH_LENGTH);
  }
}
