import { RecentMap } from '../../platform/recent-map.ts';

/** Rounds of PBKDF2 that a challenge costs at first, and the bounds of this number. */
export const DEFAULT_COST = 4_000;
export const MIN_COST = 2_000;
export const MAX_COST = 200_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long an event counts, in ms. */
const COUNTED_MS = 10 * MINUTE_MS;
/** Number of events that doubles the cost. */
const DOUBLED_AFTER = 3;
/** The cost of a network is at most this many times the cost of the project. */
const MAX_FACTOR = 40;
/** Number of events that leads to the greatest factor. */
const MAX_KEPT_EVENTS = 16;

const HOURS_OF_WEEK = 168;
/** Number of hours that must have been observed before one can be unusual. */
const MIN_HOURS = 24;
/** An hour is unusual above this many times the median, which counts as at least `MIN_MEDIAN`. */
const UNUSUAL_FACTOR = 10;
const MIN_MEDIAN = 10;

/** Maximum number of networks whose events are remembered, and of pairs of project and action that are counted. */
const MAX_REMEMBERED_NETWORKS = 50_000;
const MAX_REMEMBERED_ACTIONS = 2_000;

/** How many solved challenges there were in each hour of the latest week. */
interface HourlyCounts {
  /** The hour in which counting began, and the latest one with a count. */
  readonly sinceHour: number;
  hour: number;
  readonly counts: Uint32Array;
  /** The median of the hours before `hour`. */
  median: number;
}

/**
 * Decides how much work a challenge costs. Each failure and each message that a network causes raises its cost for ten
 * minutes. An action that is solved unusually often costs twice as much in its whole project. A restart clears all counts.
 */
export class Difficulty {
  readonly #events = new RecentMap<readonly number[]>(MAX_REMEMBERED_NETWORKS);
  readonly #actions = new RecentMap<HourlyCounts>(MAX_REMEMBERED_ACTIONS);

  /** Counts `count` failures or messages of a network. */
  recordEvents(network: string, count: number, nowMs: number): void {
    const events = [...this.#recentEvents(network, nowMs), ...Array.from({ length: count }, () => nowMs)];
    this.#events.write(network, events.slice(-MAX_KEPT_EVENTS));
  }

  /** Counts a solved challenge. */
  recordSolved(projectId: string, action: string, nowMs: number): void {
    const hours = this.#hoursOf(projectId, action, nowMs);
    const index = hours.hour % HOURS_OF_WEEK;
    hours.counts[index] = (hours.counts[index] ?? 0) + 1;
  }

  /** Returns the cost of a challenge. `base` is the cost that the project sets. */
  costOf(
    base: number,
    { network, projectId, action }: Readonly<Record<'network' | 'projectId' | 'action', string>>,
    nowMs: number,
  ): number {
    const factor = 2 ** (this.#recentEvents(network, nowMs).length / DOUBLED_AFTER);
    const projectFactor = this.#isUnusual(projectId, action, nowMs) ? 2 : 1;
    return Math.round(Math.min(base * Math.min(factor * projectFactor, MAX_FACTOR), MAX_COST));
  }

  #recentEvents(network: string, nowMs: number): readonly number[] {
    return (this.#events.find(network) ?? []).filter((atMs) => nowMs - atMs < COUNTED_MS);
  }

  #isUnusual(projectId: string, action: string, nowMs: number): boolean {
    const hours = this.#hoursOf(projectId, action, nowMs);
    if (hours.hour - hours.sinceHour < MIN_HOURS) return false;
    const count = hours.counts[hours.hour % HOURS_OF_WEEK] ?? 0;
    return count > UNUSUAL_FACTOR * Math.max(hours.median, MIN_MEDIAN);
  }

  /** Returns the counts of an action, moved on to the current hour. */
  #hoursOf(projectId: string, action: string, nowMs: number): HourlyCounts {
    const hour = Math.floor(nowMs / HOUR_MS);
    const key = `${projectId} ${action}`;
    const found = this.#actions.find(key);
    if (found === undefined) {
      const hours = { sinceHour: hour, hour, counts: new Uint32Array(HOURS_OF_WEEK), median: 0 };
      this.#actions.write(key, hours);
      return hours;
    }
    if (hour > found.hour) moveTo(found, hour);
    return found;
  }
}

function moveTo(hours: HourlyCounts, hour: number): void {
  const skipped = Math.min(hour - hours.hour, HOURS_OF_WEEK);
  for (let step = skipped - 1; step >= 0; step--) hours.counts[(hour - step) % HOURS_OF_WEEK] = 0;
  hours.hour = hour;
  const observed = Math.min(hour - hours.sinceHour, HOURS_OF_WEEK - 1);
  const before = Array.from(
    { length: observed },
    (_, step) => hours.counts[(hour - step - 1) % HOURS_OF_WEEK] ?? 0,
  );
  hours.median = before.toSorted((a, b) => a - b)[observed >> 1] ?? 0;
}
