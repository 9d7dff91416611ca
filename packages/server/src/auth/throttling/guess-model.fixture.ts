import { addressLayers } from '../../platform/address-layers.ts';
import type { Rate } from './budgets.ts';
import type { Guess, GuessResult } from './guesses.ts';
import type { ThrottleLimits } from './limits.ts';

/** A password that was accepted for verification. */
interface Attempt {
  readonly guess: Guess;
  readonly beganMs: number;
  readonly isFree: boolean;
  end: { readonly atMs: number; readonly result: GuessResult; readonly order: number } | undefined;
}

interface Lift {
  readonly guess: Guess;
  readonly atMs: number;
  readonly order: number;
}

interface Step {
  readonly atMs: number;
  readonly order: number;
  readonly change: 'take' | 'give-back' | 'refill';
}

/** Makes the same decisions as `PasswordGuesses`, computed from a list of all past events. */
export class GuessModel {
  readonly #limits: ThrottleLimits;
  readonly #attempts: Attempt[] = [];
  readonly #lifts: Lift[] = [];
  readonly #begun = new Map<Attempt, number>();
  #order = 0;

  constructor(limits: ThrottleLimits) {
    this.#limits = limits;
  }

  begin(guess: Guess, nowMs: number): ((result: GuessResult, nowMs: number) => void) | undefined {
    const isFree = this.#isKnown(guess, nowMs);
    if (this.#isLocked(guess, nowMs) || (!isFree && !this.#isAffordable(guess, nowMs))) return undefined;
    const attempt: Attempt = { guess, beganMs: nowMs, isFree, end: undefined };
    this.#attempts.push(attempt);
    this.#begun.set(attempt, this.#order++);
    return (result, atMs) => {
      attempt.end = { atMs, result, order: this.#order++ };
    };
  }

  lift(guess: Guess, atMs: number): void {
    this.#lifts.push({ guess, atMs, order: this.#order++ });
  }

  #isKnown(guess: Guess, nowMs: number): boolean {
    const since = [
      ...this.#attempts.flatMap(({ guess: other, end }) =>
        end?.result === 'right' && isSamePair(other, guess) ? [end] : [],
      ),
      ...this.#lifts.filter((lift) => isSamePair(lift.guess, guess)),
    ];
    return since.some(({ atMs }) => nowMs - atMs < this.#limits.knownForMs);
  }

  #isLocked(guess: Guess, nowMs: number): boolean {
    const { freeFailures, knownAtOnce, firstMs, longestMs, forgottenAfterMs } = this.#limits.lock;
    const liftOrder = Math.max(
      -1,
      ...this.#lifts.filter((lift) => lift.guess.account === guess.account).map(({ order }) => order),
    );
    const own = this.#attempts.filter((attempt) => isSamePair(attempt.guess, guess));
    const ends = own
      .flatMap(({ end }) => (end === undefined || end.order < liftOrder ? [] : [end]))
      .sort((a, b) => a.order - b.order);
    let failures: number[] = [];
    for (const { result, atMs } of ends) {
      const latest = failures.at(-1);
      if (latest !== undefined && atMs - latest >= forgottenAfterMs) failures = [];
      if (result === 'right') failures = [];
      if (result === 'wrong') failures.push(atMs);
    }
    const latest = failures.at(-1) ?? 0;
    if (nowMs - latest >= forgottenAfterMs) failures = [];
    const excess = failures.length - freeFailures;
    if (excess >= 0 && nowMs < latest + Math.min(longestMs, firstMs * 2 ** excess)) return true;
    const pending = own.filter(({ end }) => end === undefined).length;
    const isTrusted = this.#isKnown(guess, nowMs) && failures.length < freeFailures;
    return pending >= Math.max(1, (isTrusted ? knownAtOnce : freeFailures) - failures.length);
  }

  #isAffordable(guess: Guess, nowMs: number): boolean {
    const { host, site } = addressLayers(guess.address);
    const { failures } = this.#limits;
    const isOfAccount = (other: Guess): boolean => other.account === guess.account;
    const isByKey = (other: Guess): boolean =>
      other.projectId === guess.projectId && other.apiKey === guess.apiKey;
    return (
      this.#left(failures.account, isOfAccount, isOfAccount, nowMs) >= 1 &&
      this.#left(failures.host, (other) => addressLayers(other.address).host === host, never, nowMs) >= 1 &&
      this.#left(failures.site, (other) => addressLayers(other.address).site === site, never, nowMs) >= 1 &&
      (guess.apiKey === null || this.#left(failures.key, isByKey, never, nowMs) >= 1) &&
      this.#left(failures.project, (other) => other.projectId === guess.projectId, never, nowMs) >= 1 &&
      this.#left(failures.server, () => true, never, nowMs) >= 1
    );
  }

  #left(
    { burst, perHour }: Rate,
    isCharged: (guess: Guess) => boolean,
    isRefilled: (guess: Guess) => boolean,
    nowMs: number,
  ): number {
    const steps: Step[] = this.#lifts
      .filter(({ guess }) => isRefilled(guess))
      .map(({ atMs, order }) => ({ atMs, order, change: 'refill' }));
    for (const attempt of this.#attempts) {
      if (attempt.isFree || !isCharged(attempt.guess)) continue;
      steps.push({ atMs: attempt.beganMs, order: this.#begun.get(attempt) ?? 0, change: 'take' });
      if (attempt.end !== undefined && attempt.end.result !== 'wrong')
        steps.push({ ...attempt.end, change: 'give-back' });
    }
    let left = burst;
    let atMs = 0;
    for (const step of steps.sort((a, b) => a.order - b.order)) {
      left = Math.min(burst, left + ((step.atMs - atMs) / 3_600_000) * perHour);
      atMs = step.atMs;
      if (step.change === 'take') left -= 1;
      else left = step.change === 'refill' ? burst : Math.min(burst, left + 1);
    }
    return Math.min(burst, left + ((nowMs - atMs) / 3_600_000) * perHour);
  }
}

function never(): boolean {
  return false;
}

function isSamePair(a: Guess, b: Guess): boolean {
  return a.account === b.account && addressLayers(a.address).network === addressLayers(b.address).network;
}
