import type { DenialSummary } from './denial-search.ts';

/** Most entries of a log that are at hand for those who follow it; who is slower than that misses those before. */
export const MAX_AT_HAND = 200;

/** What has come to a log while somebody follows it. */
export interface LogNews {
  /** The latest entries, in the order of their ids. */
  readonly latest: readonly DenialSummary[];
  /** Denials that were counted and not kept; `undefined` until something has come. */
  readonly sampledOut: number | undefined;
}

const NO_NEWS: LogNews = { latest: [], sampledOut: undefined };

interface FollowedLog {
  news: LogNews;
  readonly followers: Set<LogFollower>;
}

/** The latest entries of the logs that somebody follows, which all who do have in common. */
export class FollowedLogs {
  readonly #logs = new Map<string, FollowedLog>();

  has(database: string): boolean {
    return this.#logs.has(database);
  }

  /** Keeps what comes from now on at hand. To be ended. */
  follow(database: string): LogFollower {
    const log = this.#logs.get(database) ?? { news: NO_NEWS, followers: new Set() };
    this.#logs.set(database, log);
    const follower = new LogFollower(log, () => {
      log.followers.delete(follower);
      if (log.followers.size === 0) this.#logs.delete(database);
    });
    log.followers.add(follower);
    return follower;
  }

  /** Tells of entries that are durable, in the order of their ids. */
  tell(database: string, denials: readonly DenialSummary[], sampledOut: number): void {
    const log = this.#logs.get(database);
    if (log === undefined) return;
    log.news = { latest: [...log.news.latest, ...denials].slice(-MAX_AT_HAND), sampledOut };
    for (const { wake } of log.followers) wake();
  }
}

/** One who follows a log. */
export class LogFollower {
  /** Called when something has come. */
  wake: () => void = () => undefined;
  readonly end: () => void;
  readonly #log: FollowedLog;

  constructor(log: FollowedLog, end: () => void) {
    this.#log = log;
    this.end = end;
  }

  get news(): LogNews {
    return this.#log.news;
  }
}
