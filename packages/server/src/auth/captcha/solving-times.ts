import { RecentMap } from '../../platform/recent-map.ts';

/** Number of the latest reported times of an action from which the median is taken. */
const MAX_KEPT_TIMES = 101;
/** Maximum number of pairs of project and action whose times are remembered. */
const MAX_TIMED_ACTIONS = 2_000;

/** How long clients took to solve the latest challenges for an action. */
export interface SolvingTime<Action extends string = string> {
  readonly action: Action;
  /** Number of times that clients reported, at most `MAX_KEPT_TIMES`. */
  readonly reports: number;
  readonly medianMs: number;
}

/**
 * The times that clients report with their valid solutions. A client can report any time, so the times are only shown
 * to administrators, and influence no decision. A restart clears them.
 */
export class SolvingTimes {
  readonly #latest = new RecentMap<readonly number[]>(MAX_TIMED_ACTIONS);

  record(projectId: string, action: string, timeMs: number): void {
    const key = keyOf(projectId, action);
    this.#latest.write(key, [...(this.#latest.find(key) ?? []), timeMs].slice(-MAX_KEPT_TIMES));
  }

  /** Returns the times of those of the actions for which clients of the project reported any. */
  list<Action extends string>(projectId: string, actions: readonly Action[]): readonly SolvingTime<Action>[] {
    return actions.flatMap((action) => {
      const times = this.#latest.find(keyOf(projectId, action)) ?? [];
      const medianMs = times.toSorted((a, b) => a - b)[times.length >> 1];
      return medianMs === undefined ? [] : [{ action, reports: times.length, medianMs }];
    });
  }
}

function keyOf(projectId: string, action: string): string {
  return `${projectId} ${action}`;
}
