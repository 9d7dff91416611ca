import { timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { MANY_CLIENTS } from '../../platform/resource-pool.ts';
import { type Argon2Cost, isSameCost, isWeakerCost } from './argon2.ts';
import { encodePasswordHash, type ImportedHash, type NativeHash, type PasswordHash } from './hash.ts';
import { type HashingPurpose, HashingQueue, type WaitingPlaces } from './hashing-queue.ts';
import { deriveFirebaseScrypt, deriveHmac, derivePbkdf2, deriveStandardScrypt } from './imported-hashes.ts';
import { passwordBytes } from './policy.ts';
import type { TaskThreads } from './task-threads.ts';

/** Number of recent verifications of foreign hashes whose durations are remembered. */
const RECORDED_DURATIONS = 16;
/**
 * Maximum of the floor, in ms, however slow some verifications were. The floor is the duration to which negative
 * responses are padded.
 */
const MAX_FLOOR_MS = 1000;
/** Minimum change of the floor, as a fraction of the stored floor, at which it is stored again. */
const STORED_CHANGE = 0.2;

/** Stores how long negative responses take, so that they take as long after a restart. */
export interface FloorStore {
  /** Returns the stored floor in ms; 0 if there is none. */
  read(): number;
  write(floorMs: number): Promise<void>;
}

/**
 * Pads the time of negative responses. Verifying an imported hash takes longer than verifying one of this
 * server's own, which would reveal which accounts have an imported hash. So every negative response takes at
 * least as long as the slowest of the recent slow verifications.
 */
export class TimingPad {
  readonly #slowMs: number[] = [];
  readonly #store: FloorStore | undefined;
  #storedMs: number;

  constructor(store?: FloorStore) {
    this.#store = store;
    this.#storedMs = store?.read() ?? 0;
    this.#slowMs.push(this.#storedMs);
  }

  /** Records the time of a verification of a foreign hash. */
  record(durationMs: number): void {
    this.#slowMs.push(durationMs);
    if (this.#slowMs.length > RECORDED_DURATIONS) this.#slowMs.shift();
    this.#save();
  }

  /** Returns how much longer a response that took this long must wait; 0 if there is nothing to hide. */
  remainingMs(durationMs: number): number {
    return Math.max(0, this.#floorMs() - durationMs);
  }

  #floorMs(): number {
    return Math.min(Math.max(0, ...this.#slowMs), MAX_FLOOR_MS);
  }

  #save(): void {
    const before = this.#storedMs;
    const floorMs = this.#floorMs();
    if (Math.abs(floorMs - before) <= STORED_CHANGE * before) return;
    this.#storedMs = floorMs;
    // After a failure, for example on a full disk, the next verification tries again.
    this.#store?.write(floorMs).catch(() => {
      this.#storedMs = before;
    });
  }
}

/** Computes the hash of a password with the parameters, the salt and the length of an imported hash. */
export async function deriveImported(
  password: Uint8Array,
  { parameters, salt, hash }: ImportedHash,
  threads: TaskThreads,
): Promise<Uint8Array> {
  switch (parameters.kind) {
    case 'firebase-scrypt':
      return deriveFirebaseScrypt(password, salt, parameters);
    case 'standard-scrypt':
      return deriveStandardScrypt(password, salt, parameters, hash.length);
    case 'hmac':
      return deriveHmac(password, salt, parameters);
    case 'digest':
      return threads.run({ kind: 'digest', password, salt, parameters });
    case 'pbkdf2':
      return derivePbkdf2(password, salt, parameters, hash.length);
    case 'bcrypt':
      return threads.run({ kind: 'bcrypt', password, stored: hash });
    case 'argon2': {
      const { variant, version, cost, associatedData } = parameters;
      const input = { password, salt, cost, lengthBytes: hash.length, associatedData };
      return threads.run({ kind: 'argon2', variant, version, input });
    }
    default:
      return parameters satisfies never;
  }
}

/** Returns whether two hashes are equal. The time depends only on their lengths. */
export function isSameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Returns the part of a bcrypt hash that states its cost, such as `$2b$10`; an empty text for other hashes. */
function bcryptCostOf({ parameters, hash }: ImportedHash): string {
  return parameters.kind === 'bcrypt' ? Buffer.from(hash.subarray(0, 6)).toString('latin1') : '';
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Hashing runs on worker threads. More threads than this would only wait for each other. */
const MAX_HASHING_THREADS = 4;

/** Returns how many passwords are hashed at the same time. */
export function hashingConcurrency(): number {
  return Math.min(availableParallelism(), MAX_HASHING_THREADS);
}

export interface PasswordHasherOptions {
  readonly cost: Argon2Cost;
  readonly threads: TaskThreads;
  /** Maximum number of passwords that are hashed in parallel, each in a thread. */
  readonly concurrency: number;
  /** The places of passwords that wait. */
  readonly places: WaitingPlaces;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly elapsedMs: () => number;
  /** Without it, a new hasher does not know how long earlier negative responses took. */
  readonly floorStore?: FloorStore;
}

/** The result of verifying a password. An outdated hash comes with its replacement. */
export type Verification =
  | { readonly isMatch: false }
  | { readonly isMatch: true; readonly isOutdated: false }
  | { readonly isMatch: true; readonly isOutdated: true; readonly replacement: NativeHash };

const NO_MATCH: Verification = { isMatch: false };

/**
 * Hashes and verifies passwords outside of the event loop, a few in parallel. `network` is the client's network. Every
 * method rejects with `PasswordHasherBusy` when too many passwords are waiting, most of them from the same network.
 * Methods that take a password reject with `PasswordTooLong` if it is too long, whether or not the account exists.
 *
 * Every negative result costs one hash of the current cost, whether or not the account exists and whatever its
 * hash is. Verifying an imported hash takes additional time, which `TimingPad` hides by padding all negative
 * results.
 */
export class PasswordHasher {
  readonly #options: PasswordHasherOptions;
  readonly #queue: HashingQueue;
  readonly #floor: TimingPad;
  readonly #measured = new Set<string>();

  constructor(options: PasswordHasherOptions) {
    this.#options = options;
    this.#floor = new TimingPad(options.floorStore);
    this.#queue = new HashingQueue(options.concurrency, options.places);
  }

  async hash(password: string, network: string): Promise<NativeHash> {
    const bytes = passwordBytes(password);
    return this.#queue.run('new-password', network, () => this.#hash(bytes));
  }

  /** Hashes a password and encodes the result for a record: see `encodePasswordHash`. */
  async hashEncoded(password: string, network: string): Promise<Readonly<Record<string, unknown>>> {
    return encodePasswordHash(await this.hash(password, network));
  }

  async verify(password: string, stored: PasswordHash, network: string): Promise<Verification> {
    const bytes = passwordBytes(password);
    const { cost } = this.#options;
    return stored.kind === 'native' && isSameCost(stored.cost, cost)
      ? this.#answer('sign-in', network, () => this.#verifyCurrent(bytes, stored))
      : this.#answer('foreign', network, () => this.#verifyForeign(bytes, stored));
  }

  /**
   * Measures how long verifying hashes with the same parameters takes, once for all of them. So negative responses
   * take as long even before a user has signed in with such a hash. Rejects with `PasswordHasherBusy`.
   */
  async measure(stored: ImportedHash): Promise<void> {
    const name = `${stored.parametersId} ${bcryptCostOf(stored)}`;
    if (this.#measured.has(name)) return;
    await this.#queue.run('foreign', MANY_CLIENTS, () => this.#verifyForeign(new Uint8Array(1), stored));
    this.#measured.add(name);
  }

  /**
   * Verifies a password for an account that does not exist or has no password. Cost and result are the same as for
   * a wrong password.
   */
  async verifyNothing(password: string, network: string): Promise<Verification> {
    const bytes = passwordBytes(password);
    return this.#answer('sign-in', network, async () => {
      await this.#hash(bytes);
      return NO_MATCH;
    });
  }

  /** Derives a key with PBKDF2 and SHA-256 to check the solution of a challenge, in the same queue as passwords. */
  async derivePbkdf2(
    input: Uint8Array,
    salt: Uint8Array,
    { rounds, lengthBytes }: { readonly rounds: number; readonly lengthBytes: number },
    network: string,
  ): Promise<Uint8Array> {
    const parameters = { kind: 'pbkdf2', digest: 'sha256', saltSeparator: new Uint8Array(), rounds } as const;
    return this.#queue.run('challenge', network, () => derivePbkdf2(input, salt, parameters, lengthBytes));
  }

  async #answer(
    purpose: HashingPurpose,
    network: string,
    verify: () => Promise<Verification>,
  ): Promise<Verification> {
    const { elapsedMs } = this.#options;
    let startedMs = 0;
    const verification = await this.#queue.run(purpose, network, () => {
      startedMs = elapsedMs();
      return verify();
    });
    if (verification.isMatch) return verification;
    const waitMs = this.#floor.remainingMs(elapsedMs() - startedMs);
    if (waitMs > 0) await setTimeout(waitMs);
    return verification;
  }

  /** Computes the replacement even if the password does not match, so that the response takes the same time. */
  async #verifyForeign(password: Uint8Array, stored: PasswordHash): Promise<Verification> {
    const { cost, elapsedMs, threads } = this.#options;
    const startedMs = elapsedMs();
    const derived =
      stored.kind === 'native'
        ? await this.#derive(password, stored.salt, stored.cost, stored.hash.length)
        : await deriveImported(password, stored, threads);
    const replacement = await this.#hash(password);
    this.#floor.record(elapsedMs() - startedMs);
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
    return this.#options.threads.run({ kind: 'argon2', variant: 'argon2id', version: 0x13, input });
  }
}
