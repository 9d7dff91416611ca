import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when the attack has to end. */
export async function untilEnded(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Waits for a time, but not longer than the attack lasts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * Repeats a task in `parallel` lanes until the attack has to end, and resolves then. Does not wait for tasks that are
 * still in progress.
 */
export async function flood(
  signal: AbortSignal,
  parallel: number,
  task: (lane: number, round: number) => Promise<unknown>,
): Promise<void> {
  const run = async (lane: number): Promise<void> => {
    for (let round = 0; !signal.aborted; round++) {
      await task(lane, round);
      // A task may complete without waiting for anything, and the signal must still arrive.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const lanes = Promise.all(Array.from({ length: parallel }, (_, lane) => run(lane)));
  await Promise.race([untilEnded(signal), lanes]);
}

/** Runs a task for each of `count` numbers, with at most `parallel` at a time, until the attack has to end. */
export async function forEachOf(
  count: number,
  parallel: number,
  signal: AbortSignal,
  task: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < count && !signal.aborted) {
      const index = next;
      next += 1;
      await task(index);
    }
  };
  await Promise.all(Array.from({ length: parallel }, run));
}
