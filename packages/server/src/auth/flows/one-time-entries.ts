import { createHash } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Holder } from '../../platform/lease.ts';
import type { PoolLimits } from '../../platform/resource-pool.ts';
import { type ProjectPlace, ProjectPlaces } from '../throttling/project-places.ts';

/** The limits of the entries of all projects, or of one. */
export type EntryLimits = Pick<PoolLimits, 'total' | 'ofNetwork' | 'ofIdentity'>;

export interface OneTimeEntriesOptions {
  readonly clock: Pick<Clock, 'elapsedMs'>;
  readonly randomBytes: (count: number) => Uint8Array;
  /** How long an entry is valid, in ms. */
  readonly lifetimeMs: number;
  readonly all: EntryLimits;
  readonly ofProject: EntryLimits;
}

/** For whom a value is stored. */
export interface EntryHolder extends Omit<Holder, 'isPrivileged'> {
  readonly projectId: string;
}

interface Entry<Value> {
  readonly value: Value;
  readonly untilMs: number;
  readonly place: ProjectPlace;
}

const SECRET_BYTES = 32;

/**
 * Values in memory that clients find once, by a secret that cannot be guessed. A new value is always stored: if there are
 * too many, the oldest one of the network or the identity with the most is dropped.
 */
export class OneTimeEntries<Value> {
  readonly #options: OneTimeEntriesOptions;
  readonly #places: ProjectPlaces;
  /** By the hash of the secret, in the order in which they expire. */
  readonly #entries = new Map<string, Entry<Value>>();

  constructor(options: OneTimeEntriesOptions) {
    const { clock, all, ofProject } = options;
    this.#options = options;
    // Any entry can be dropped, because it is more important to store a new entry than to keep an old one.
    const limits = (of: EntryLimits): PoolLimits => ({ ...of, reserve: 0, idleMs: 0 });
    this.#places = new ProjectPlaces({
      all: limits(all),
      ofProject: limits(ofProject),
      nowMs: clock.elapsedMs,
    });
  }

  /**
   * Stores a value and returns its secret. Returns `undefined` only if other networks of the same IPv6 site hold the share
   * of the site.
   */
  add(value: Value, { projectId, ...holder }: EntryHolder): string | undefined {
    this.#removeExpired();
    const secret = randomText(this.#options.randomBytes);
    const key = hashOf(secret);
    const place = this.#places.take(projectId, { ...holder, isPrivileged: false }, () =>
      this.#entries.delete(key),
    );
    if (place === undefined) return undefined;
    const untilMs = this.#options.clock.elapsedMs() + this.#options.lifetimeMs;
    this.#entries.set(key, { value, untilMs, place });
    return secret;
  }

  /** Returns a value; `undefined` if there is none, or it is too old. */
  find(secret: string): Value | undefined {
    this.#removeExpired();
    return this.#entries.get(hashOf(secret))?.value;
  }

  /** Returns a value and removes it; `undefined` if there is none, or it is too old. */
  take(secret: string): Value | undefined {
    this.#removeExpired();
    return this.#remove(hashOf(secret))?.value;
  }

  #removeExpired(): void {
    const nowMs = this.#options.clock.elapsedMs();
    for (const [key, { untilMs }] of this.#entries) {
      if (untilMs > nowMs) break;
      this.#remove(key);
    }
  }

  #remove(key: string): Entry<Value> | undefined {
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    entry?.place.release();
    return entry;
  }
}

/** Returns a text that cannot be guessed. */
export function randomText(randomBytes: (count: number) => Uint8Array): string {
  return Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url');
}

/** Returns a hash of a secret. A lookup by the hash takes no time that depends on the secret. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
