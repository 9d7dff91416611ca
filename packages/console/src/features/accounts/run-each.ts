/** What has become of many changes. */
export interface Tally {
  readonly done: number;
  /** Why others were not made, by how many. */
  readonly failures: ReadonlyMap<string, number>;
}

/** Requests that are under way at a time. */
const LANES = 4;

/**
 * Carries out a change for each item, some at a time, whatever comes of the others, until `signal` says to stop. Tells how
 * many there have been after each.
 */
export async function runEach<T>(
  items: readonly T[],
  change: (item: T) => Promise<void>,
  onProgress: (tally: Tally) => void,
  signal: AbortSignal,
): Promise<Tally> {
  let tally: Tally = { done: 0, failures: new Map() };
  const waiting = [...items];
  async function lane(): Promise<void> {
    for (let item = waiting.shift(); item !== undefined && !signal.aborted; item = waiting.shift()) {
      try {
        await change(item);
        tally = { ...tally, done: tally.done + 1 };
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        tally = {
          ...tally,
          failures: new Map(tally.failures).set(reason, (tally.failures.get(reason) ?? 0) + 1),
        };
      }
      onProgress(tally);
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane));
  return tally;
}
