/** Who watches a long piece of work. */
export interface Watcher {
  /** Aborts the work; what it has made so far is removed. */
  readonly signal: AbortSignal;
  /** A new stage begins: `Copying`. */
  readonly stage: (label: string) => void;
  readonly onBytes: (doneBytes: number, totalBytes: number | undefined) => void;
  /** A share of the stage is done, from 0 to 1. */
  readonly onShare: (done: number) => void;
  /** Runs work that yields the share it has done. Rejects when it is aborted. */
  readonly drive: <T>(steps: Generator<number, T>) => Promise<T>;
}
