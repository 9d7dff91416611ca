import type { Watcher } from '../backup/watcher.ts';
import { elapsedMs } from '../ops/clock.ts';
import { drive } from './drive.ts';
import { abortOnSignal } from './interruption.ts';
import { Progress } from './progress.ts';

export interface TalkingWatcher extends Watcher {
  /** Tells a sentence, on a line of its own. */
  readonly say: (sentence: string) => void;
}

/** Runs a long piece of work, shows its progress on standard error, and aborts it at a request to stop. */
export async function watchWork<T>(work: (watcher: TalkingWatcher) => Promise<T>): Promise<T> {
  const signal = abortOnSignal();
  let progress = new Progress({ label: 'Working', stream: process.stderr, elapsedMs });
  try {
    return await work({
      signal,
      stage: (label) => {
        progress[Symbol.dispose]();
        progress = new Progress({ label, stream: process.stderr, elapsedMs });
      },
      onBytes: (doneBytes, totalBytes) => progress.bytes(doneBytes, totalBytes),
      say: (sentence) => {
        progress[Symbol.dispose]();
        process.stderr.write(`${sentence}\n`);
      },
      onShare: (done) => progress.share(done),
      drive: (steps) => drive(steps, progress, signal),
    });
  } catch (cause) {
    // What was aborted may say no more than that.
    signal.throwIfAborted();
    throw cause;
  } finally {
    progress[Symbol.dispose]();
  }
}
