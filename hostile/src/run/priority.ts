import { setPriority } from 'node:os';

/** The crowd uses little processor time, and would count its own waits for a processor as latency of the server. */
const CROWD_PRIORITY = -10;

/** Gives this process a higher priority than other programs, if the system allows it. */
export function raisePriority(): void {
  try {
    setPriority(CROWD_PRIORITY);
  } catch {
    // Only the superuser may do that. Without it, a busy machine makes the latencies less exact.
  }
}
