import { type Denial, type StoredRule, userOf } from './denial.ts';
import { type DenialReason, findReason } from './reason.ts';

/** A filter for entries. */
export interface DenialFilter {
  /** Only entries with a path at or below this one. */
  readonly path?: string;
  /** Only entries that a rule at this location decided, such as `/rooms/$id`. An empty text selects those without a rule. */
  readonly rule?: string;
  /** Only entries of this user. An empty text selects clients that were not signed in. */
  readonly uid?: string;
}

/** A search for one page of entries. */
export interface DenialSearch extends DenialFilter {
  /** Only entries with lower ids. */
  readonly before: number;
  readonly limit: number;
}

/** An entry in a list: without its trace. */
export interface DenialSummary extends Omit<Denial, 'rules' | 'deciding' | 'values'> {
  readonly rule: Omit<StoredRule, 'step'> | null;
  /** Why that rule did not hold; `null` without a rule. */
  readonly reason: DenialReason | null;
  readonly hasValues: boolean;
}

export function isMatch(
  { paths, rule: deciding, identity }: DenialSummary,
  { path, rule, uid }: DenialFilter,
): boolean {
  if (uid !== undefined && (userOf(identity)?.uid ?? '') !== uid) return false;
  if (path !== undefined && !paths.some((other) => isWithin(path, other))) return false;
  return rule === undefined || (deciding?.location ?? '') === rule;
}

/** Returns an entry as it appears in a list. */
export function summarize(denial: Denial): DenialSummary {
  const { rules, deciding, values, ...rest } = denial;
  const rule = findDeciding(denial);
  return {
    ...rest,
    rule: rule === undefined ? null : withoutStep(rule),
    reason: rule === undefined ? null : findReason(rule),
    hasValues: values !== null,
  };
}

function findDeciding({ rules, deciding }: Denial): StoredRule | undefined {
  return deciding === null ? undefined : rules[deciding];
}

function withoutStep({ step, ...rule }: StoredRule): Omit<StoredRule, 'step'> {
  return rule;
}

function isWithin(path: string, other: string): boolean {
  const above = path === '/' ? '' : path;
  return other === above || other.startsWith(`${above}/`);
}

/** Maximum number of a log's entries that are held for subscribers. A slow subscriber misses older entries. */
export const MAX_HELD = 200;

/** The entries that were added to a log since its first subscriber. */
export interface LogUpdates {
  /** The latest entries, in the order of their ids. */
  readonly latest: readonly DenialSummary[];
  /** Number of denials that were counted and not stored; `undefined` until the log has changed. */
  readonly sampledOut: number | undefined;
}

const NO_UPDATES: LogUpdates = { latest: [], sampledOut: undefined };

interface SubscribedLog {
  updates: LogUpdates;
  readonly followers: Set<LogSubscriber>;
}

/** The latest entries of the logs that have subscribers. All subscribers of a log share them. */
export class FollowedLogs {
  readonly #logs = new Map<string, SubscribedLog>();

  has(database: string): boolean {
    return this.#logs.has(database);
  }

  /** Subscribes to a log: holds its entries from now on. The caller must end the subscription. */
  follow(database: string): LogSubscriber {
    const log = this.#logs.get(database) ?? { updates: NO_UPDATES, followers: new Set() };
    this.#logs.set(database, log);
    const follower = new LogSubscriber(log, () => {
      log.followers.delete(follower);
      if (log.followers.size === 0) this.#logs.delete(database);
    });
    log.followers.add(follower);
    return follower;
  }

  /** Passes durable entries to the subscribers, in the order of their ids. */
  notify(database: string, denials: readonly DenialSummary[], sampledOut: number): void {
    const log = this.#logs.get(database);
    if (log === undefined) return;
    log.updates = { latest: [...log.updates.latest, ...denials].slice(-MAX_HELD), sampledOut };
    for (const { wake } of log.followers) wake();
  }
}

/** A subscriber of a log. */
export class LogSubscriber {
  /** Called when the log has changed. */
  wake: () => void = () => undefined;
  readonly end: () => void;
  readonly #log: SubscribedLog;

  constructor(log: SubscribedLog, end: () => void) {
    this.#log = log;
    this.end = end;
  }

  get updates(): LogUpdates {
    return this.#log.updates;
  }
}
