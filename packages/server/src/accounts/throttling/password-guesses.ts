import { RecentMap } from '../../ops/recent-map.ts';
import { type AddressLayers, addressLayers } from './address-layers.ts';
import { Budgets } from './budgets.ts';
import { applyFailure, type GuessLock, mayGuess, NO_GUESSES } from './guess-lock.ts';
import type { ThrottleLimits } from './throttle-limits.ts';

/** Whose password it is said to be, and where it comes from. */
export interface Guess {
  readonly projectId: string;
  /** By which app it comes; `null` for an administrator. */
  readonly apiKey: string | null;
  /** Stands for the account, whether there is one or not; without a space. */
  readonly account: string;
  readonly address: string;
}

/** What came of a password; `undecided` if it was not verified after all. */
export type GuessResult = 'right' | 'wrong' | 'undecided';

interface Charge {
  readonly budgets: Budgets;
  readonly key: string;
}

/**
 * Which passwords may be tried. Wrong ones for an account from a network lock that pair for a while. Where the account's
 * password was right lately, nothing else counts: others elsewhere cannot lock its owner out. All other places share
 * budgets of wrong passwords: of the account, of their address and its site, of the API key, the project and the server.
 */
export class PasswordGuesses {
  readonly #limits: ThrottleLimits;
  readonly #locks: RecentMap<GuessLock>;
  /** By the same keys, when a password was right. */
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
   * What to call with the result of a password, once; `undefined` if it is not to be verified. Until then it counts as a
   * wrong one. Times are those of a clock's `elapsedMs`.
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
      if (result !== 'wrong') for (const { budgets, key } of charges) budgets.giveBack(key, endMs);
      this.#end(pair, result, endMs);
    };
  }

  /** Forgets the wrong passwords for an account, whose owner has proved another way who they are, from an address. */
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
