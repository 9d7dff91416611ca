import { type NamedUser, userOf } from './denial.ts';
import type { DenialSummary } from './search.ts';

/** The property by which denials are grouped. */
export const GROUPINGS = ['rule', 'user'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** A rule that denied, with how many denials of a group it caused. */
export interface DenyingRule {
  /** `null` if no rule could grant the operation. */
  readonly rule: Pick<NonNullable<DenialSummary['rule']>, 'kind' | 'location'> | null;
  readonly count: number;
}

/** A user who was denied, with the number of denials in a group. */
export interface DeniedUser {
  /** `null` for all clients that were not signed in. */
  readonly user: NamedUser | null;
  readonly count: number;
}

/** Denials of one rule, or of one user. */
export interface DenialGroup {
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** The number of denials in each of `TREND_PARTS` equal parts of the period, oldest first. */
  readonly trend: readonly number[];
  /** The rules that denied most, at most `MAX_TOP`. */
  readonly rules: readonly DenyingRule[];
  readonly ruleCount: number;
  /** The users who were denied most, at most `MAX_TOP`. */
  readonly users: readonly DeniedUser[];
  readonly userCount: number;
  readonly latest: DenialSummary;
}

export interface DenialGroups {
  /** The largest group first, at most `MAX_GROUPS`. */
  readonly groups: readonly DenialGroup[];
  /** Number of denials in other groups. */
  readonly otherCount: number;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Whether all denials since `sinceMs` were examined. Otherwise, the latest `MAX_EXAMINED` were. */
  readonly isComplete: boolean;
}

/** Number of parts of a trend. */
const TREND_PARTS = 24;

const MAX_GROUPS = 100;

/** Maximum number of groups that are counted, and of rules and users that are counted in each. */
const MAX_COUNTED = 1_000;

const MAX_TOP = 5;

/** Maximum number of entries that are examined: those that a log keeps by default. */
export const MAX_EXAMINED = 10_000;

/** Counts by key. Beyond `MAX_COUNTED` keys, further ones are ignored. */
class Tally<T> {
  readonly #counts = new Map<string, { readonly of: T; count: number }>();

  add(key: string, of: T): void {
    const known = this.#counts.get(key);
    if (known !== undefined) known.count += 1;
    else if (this.#counts.size < MAX_COUNTED) this.#counts.set(key, { of, count: 1 });
  }

  get size(): number {
    return this.#counts.size;
  }

  top(): readonly { readonly of: T; readonly count: number }[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count).slice(0, MAX_TOP);
  }
}

interface OpenGroup {
  count: number;
  firstMs: number;
  readonly latest: DenialSummary;
  readonly trend: number[];
  readonly rules: Tally<DenyingRule['rule']>;
  readonly users: Tally<DeniedUser['user']>;
}

/** Groups denials that are added latest first. */
export class DenialGrouping {
  readonly #by: Grouping;
  readonly #sinceMs: number;
  readonly #untilMs: number;
  readonly #groups = new Map<string, OpenGroup>();
  #otherCount = 0;

  constructor(by: Grouping, sinceMs: number, untilMs: number) {
    this.#by = by;
    this.#sinceMs = sinceMs;
    this.#untilMs = untilMs;
  }

  add(denial: DenialSummary): void {
    const { rule, identity, timeMs } = denial;
    const ruleKey = rule === null ? '' : `${rule.kind} ${rule.location}`;
    const user = userOf(identity);
    const userKey = user === null ? '' : user.uid;
    const key = this.#by === 'rule' ? ruleKey : userKey;
    let group = this.#groups.get(key);
    if (group === undefined) {
      if (this.#groups.size === MAX_COUNTED) {
        this.#otherCount += 1;
        return;
      }
      group = openGroup(denial);
      this.#groups.set(key, group);
    }
    group.count += 1;
    group.firstMs = Math.min(group.firstMs, timeMs);
    const part = this.#partOf(timeMs);
    group.trend[part] = (group.trend[part] ?? 0) + 1;
    group.rules.add(ruleKey, rule === null ? null : { kind: rule.kind, location: rule.location });
    group.users.add(userKey, user);
  }

  finish(isComplete: boolean): DenialGroups {
    const all = [...this.#groups.values()].sort((a, b) => b.count - a.count);
    const others = all.slice(MAX_GROUPS).reduce((sum, { count }) => sum + count, 0);
    return {
      groups: all.slice(0, MAX_GROUPS).map(groupOf),
      otherCount: this.#otherCount + others,
      sinceMs: this.#sinceMs,
      untilMs: this.#untilMs,
      isComplete,
    };
  }

  #partOf(timeMs: number): number {
    const share = (timeMs - this.#sinceMs) / Math.max(1, this.#untilMs - this.#sinceMs);
    return Math.max(0, Math.min(TREND_PARTS - 1, Math.floor(share * TREND_PARTS)));
  }
}

function openGroup(latest: DenialSummary): OpenGroup {
  return {
    count: 0,
    firstMs: latest.timeMs,
    latest,
    trend: Array.from({ length: TREND_PARTS }, () => 0),
    rules: new Tally(),
    users: new Tally(),
  };
}

function groupOf({ count, firstMs, latest, trend, rules, users }: OpenGroup): DenialGroup {
  return {
    count,
    firstMs,
    lastMs: latest.timeMs,
    trend,
    rules: rules.top().map(({ of, count: part }) => ({ rule: of, count: part })),
    ruleCount: rules.size,
    users: users.top().map(({ of, count: part }) => ({ user: of, count: part })),
    userCount: users.size,
    latest,
  };
}
