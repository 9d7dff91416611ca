import { setTimeout } from 'node:timers/promises';
import { AnswerFloor } from './answer-floor.ts';
import { type Argon2Cost, isSameCost, isWeakerCost } from './argon2-cost.ts';
import { deriveImported } from './derive-imported.ts';
import { type HashingPurpose, HashingQueue } from './hashing-queue.ts';
import { isSameBytes } from './is-same-bytes.ts';
import { passwordBytes } from './password-bytes.ts';
import { encodePasswordHash, type NativeHash, type PasswordHash } from './password-hash.ts';
import { TaskThreads } from './task-threads.ts';

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Passwords that may wait to be hashed; at 50 ms each on two cores the last one waits for 5 s. */
export const DEFAULT_MAX_WAITING = 200;

export interface PasswordHasherOptions {
  readonly cost: Argon2Cost;
  /** Passwords hashed at once, each in a thread. */
  readonly concurrency: number;
  readonly maxWaiting: number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly elapsedMs: () => number;
}

/** What a password is to a hash. An outdated hash comes with the one to keep in its place. */
export type Verification =
  | { readonly isMatch: false }
  | { readonly isMatch: true; readonly isOutdated: false }
  | { readonly isMatch: true; readonly isOutdated: true; readonly replacement: NativeHash };

const NO_MATCH: Verification = { isMatch: false };

/**
 * Hashes and verifies passwords beside the event loop, a few at once. Every method rejects with PasswordHasherBusy when too
 * many wait, of which new passwords and those with foreign hashes are half each at most, and with PasswordTooLong whosever the password is said to be.
 *
 * Every negative answer costs one hash of the current cost, whether there is an account, and whatever its hash is; an imported
 * hash costs its own verification besides, and the AnswerFloor hides that from everybody else's negative answers.
 */
export class PasswordHasher {
  readonly #options: PasswordHasherOptions;
  readonly #queue: HashingQueue;
  readonly #threads = new TaskThreads();
  readonly #floor = new AnswerFloor();

  constructor(options: PasswordHasherOptions) {
    this.#options = options;
    this.#queue = new HashingQueue(options);
  }

  async hash(password: string): Promise<NativeHash> {
    const bytes = passwordBytes(password);
    return this.#queue.run('new-password', () => this.#hash(bytes));
  }

  /** The same as it is kept in a record: see `encodePasswordHash`. */
  async hashEncoded(password: string): Promise<Readonly<Record<string, unknown>>> {
    return encodePasswordHash(await this.hash(password));
  }

  async verify(password: string, stored: PasswordHash): Promise<Verification> {
    const bytes = passwordBytes(password);
    const { cost } = this.#options;
    return stored.kind === 'native' && isSameCost(stored.cost, cost)
      ? this.#answer('sign-in', () => this.#verifyCurrent(bytes, stored))
      : this.#answer('foreign', () => this.#verifyForeign(bytes, stored));
  }

  /** What verifying is when there is no account, or it has no password: the same cost and the same answer. */
  async verifyNothing(password: string): Promise<Verification> {
    const bytes = passwordBytes(password);
    return this.#answer('sign-in', async () => {
      await this.#hash(bytes);
      return NO_MATCH;
    });
  }

  /** Ends the threads; what they verify then is rejected. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#threads[Symbol.asyncDispose]();
  }

  async #answer(purpose: HashingPurpose, verify: () => Promise<Verification>): Promise<Verification> {
    const { elapsedMs } = this.#options;
    let startedMs = 0;
    const verification = await this.#queue.run(purpose, () => {
      startedMs = elapsedMs();
      return verify();
    });
    if (verification.isMatch) return verification;
    const waitMs = this.#floor.remainingMs(elapsedMs() - startedMs);
    if (waitMs > 0) await setTimeout(waitMs);
    return verification;
  }

  /** Hashes anew even when nothing matches, so that the answer takes as long. */
  async #verifyForeign(password: Uint8Array, stored: PasswordHash): Promise<Verification> {
    const { cost, elapsedMs } = this.#options;
    const startedMs = elapsedMs();
    const derived =
      stored.kind === 'native'
        ? await this.#derive(password, stored.salt, stored.cost, stored.hash.length)
        : await deriveImported(password, stored, this.#threads);
    const replacement = await this.#hash(password);
    this.#floor.note(elapsedMs() - startedMs);
    if (!isSameBytes(derived, stored.hash)) return NO_MATCH;
    if (stored.kind === 'native' && !isWeakerCost(stored.cost, cost)) {
      return { isMatch: true, isOutdated: false };
    }
    return { isMatch: true, isOutdated: true, replacement };
  }

  async #hash(password: Uint8Array): Promise<NativeHash> {
    const { cost, randomBytes } = this.#options;
    const salt = randomBytes(SALT_BYTES);
    return { kind: 'native', cost, salt, hash: await this.#derive(password, salt, cost, HASH_BYTES) };
  }

  async #verifyCurrent(password: Uint8Array, { salt, cost, hash }: NativeHash): Promise<Verification> {
    const derived = await this.#derive(password, salt, cost, hash.length);
    return isSameBytes(derived, hash) ? { isMatch: true, isOutdated: false } : NO_MATCH;
  }

  #derive(
    password: Uint8Array,
    salt: Uint8Array,
    cost: Argon2Cost,
    lengthBytes: number,
  ): Promise<Uint8Array> {
    const input = { password, salt, cost, lengthBytes };
    return this.#threads.run({ kind: 'argon2', variant: 'argon2id', version: 0x13, input });
  }
}
