import { type AddressLayers, addressLayers } from '../../platform/address-layers.ts';
import { RecentMap } from '../../platform/recent-map.ts';
import { Budgets } from './budgets.ts';
import { applyFailure, type GuessLock, mayGuess, NO_GUESSES, type ThrottleLimits } from './limits.ts';

/** A password attempt: the claimed account, and the client's address. */
export interface Guess {
  readonly projectId: string;
  /** The API key of the app; `null` for an administrator. */
  readonly apiKey: string | null;
  /** Identifies the account, whether it exists or not. Contains no spaces. */
  readonly account: string;
  readonly address: string;
}

/** The result of a password attempt; `undecided` if it was not verified after all. */
export type GuessResult = 'right' | 'wrong' | 'undecided';

interface Charge {
  readonly budgets: Budgets;
  readonly key: string;
}

/**
 * Decides which passwords may be verified. Failures for an account from a network lock this pair for a while.
 * In a network where the account's password was recently right, only the pair's own failures count, so that
 * attackers elsewhere cannot lock the owner out. All other networks share budgets of failures: per account, per
 * host and site of the client, per API key, per project and for the server.
 */
export class PasswordGuesses {
  readonly #limits: ThrottleLimits;
  readonly #locks: RecentMap<GuessLock>;
  /** When a password was last right, in ms, by the same keys as `#locks`. */
  readonly #knownSinceMs: RecentMap<number>;
  readonly #accounts: Budgets;
  readonly #hosts: Budgets;
  readonly #sites: Budgets;
  readonly #keys: Budgets;
  readonly #projects: Budgets;
  readonly #server: Budgets;

  constructor(limits: ThrottleLimits) {
    const { failures, maxKeys } = limits;
    this.#limits = limits;
    this.#locks = new RecentMap(maxKeys);
    this.#knownSinceMs = new RecentMap(maxKeys);
    this.#accounts = new Budgets(failures.account, maxKeys);
    this.#hosts = new Budgets(failures.host, maxKeys);
    this.#sites = new Budgets(failures.site, maxKeys);
    this.#keys = new Budgets(failures.key, maxKeys);
    this.#projects = new Budgets(failures.project, maxKeys);
    this.#server = new Budgets(failures.server, 1);
  }

  /**
   * Starts an attempt. Returns a function to call once with the result, or `undefined` if the password must not
   * be verified. Until the result is known, the attempt counts as a failure. Times are those of a clock's
   * `elapsedMs`.
   */
  begin(guess: Guess, nowMs: number): ((result: GuessResult, nowMs: number) => void) | undefined {
    const layers = addressLayers(guess.address);
    const pair = pairOf(guess.account, layers);
    const isKnown = this.#isKnown(pair, nowMs);
    const charges = isKnown ? [] : this.#charges(guess, layers);
    const lock = this.#locks.find(pair) ?? NO_GUESSES;
    if (!mayGuess(lock, this.#limits.lock, isKnown, nowMs)) return undefined;
    if (!charges.every(({ budgets, key }) => budgets.isLeft(key, nowMs))) return undefined;
    this.#locks.write(pair, { ...lock, pending: lock.pending + 1 });
    for (const { budgets, key } of charges) budgets.take(key, nowMs);
    return (result, endMs) => {
      if (result !== 'wrong') for (const { budgets, key } of charges) budgets.refund(key, endMs);
      this.#end(pair, result, endMs);
    };
  }

  /**
   * Clears the failures of an account whose owner has proven their identity in another way, and marks the
   * owner's network as known.
   */
  lift(guess: Guess, nowMs: number): void {
    for (const pair of this.#locks.listKeys(`${guess.account} `)) {
      const pending = this.#locks.find(pair)?.pending ?? 0;
      this.#locks.write(pair, { ...NO_GUESSES, pending });
    }
    this.#accounts.refill(guess.account);
    this.#knownSinceMs.write(pairOf(guess.account, addressLayers(guess.address)), nowMs);
  }

  #end(pair: string, result: GuessResult, nowMs: number): void {
    const found = this.#locks.find(pair) ?? NO_GUESSES;
    const lock = { ...found, pending: Math.max(0, found.pending - 1) };
    if (result === 'right') this.#knownSinceMs.write(pair, nowMs);
    const next =
      result === 'right'
        ? { ...NO_GUESSES, pending: lock.pending }
        : result === 'wrong'
          ? applyFailure(lock, this.#limits.lock, nowMs)
          : lock;
    if (next.failures === 0 && next.pending === 0) this.#locks.remove(pair);
    else this.#locks.write(pair, next);
  }

  #isKnown(pair: string, nowMs: number): boolean {
    const sinceMs = this.#knownSinceMs.find(pair);
    return sinceMs !== undefined && nowMs - sinceMs < this.#limits.knownForMs;
  }

  #charges({ projectId, apiKey, account }: Guess, { host, site }: AddressLayers): readonly Charge[] {
    return [
      { budgets: this.#accounts, key: account },
      { budgets: this.#hosts, key: host },
      { budgets: this.#sites, key: site },
      ...(apiKey === null ? [] : [{ budgets: this.#keys, key: `${projectId} ${apiKey}` }]),
      { budgets: this.#projects, key: projectId },
      { budgets: this.#server, key: '' },
    ];
  }
}

function pairOf(account: string, { network }: AddressLayers): string {
  return `${account} ${network}`;
}
