import { setTimeout } from 'node:timers/promises';
import { ServerGone } from '../transfer/server-link.ts';

/** How long a server may be gone before it is given up, and how long is waited between attempts. */
const GIVE_UP_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

export interface Patience {
  readonly signal: AbortSignal;
  readonly elapsedMs: () => number;
  /** Takes a sentence for the person who waits. */
  readonly report: (sentence: string) => void;
}

/** Does something that may be done twice, again and again while the server is gone, up to a minute. */
export async function withPatience<T>(
  { signal, elapsedMs, report }: Patience,
  attempt: () => Promise<T>,
): Promise<T> {
  let goneSinceMs: number | undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS))
    try {
      return await attempt();
    } catch (cause) {
      if (!(cause instanceof ServerGone)) throw cause;
      if (goneSinceMs === undefined) report('The server is gone; trying again.');
      goneSinceMs ??= elapsedMs();
      if (elapsedMs() - goneSinceMs > GIVE_UP_MS) throw cause;
      await setTimeout(pauseMs, undefined, { signal });
    }
}
