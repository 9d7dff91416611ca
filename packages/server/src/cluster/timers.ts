import type { Clock } from '../platform/clock.ts';

/** The time of a node. A simulation has its own. */
export interface Timers {
  /** Returns milliseconds since an arbitrary moment. Never decreases. */
  elapsedMs(): number;
  /** Calls `action` once after a time, unless the returned function is called before. */
  after(ms: number, action: () => void): () => void;
}

/** Returns timers that use the clock of the machine. */
export function systemTimers({ elapsedMs }: Clock): Timers {
  return {
    elapsedMs,
    after: (ms, action) => {
      const timer = setTimeout(action, ms);
      return () => clearTimeout(timer);
    },
  };
}
