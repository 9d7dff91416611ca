import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { HashOrder } from './hash-program.ts';

const PROGRAM = fileURLToPath(new URL('./hash-program.ts', import.meta.url));

/**
 * A process that does nothing but hash passwords. What a hash costs differs from process to process by a third, by the
 * memory that each is given, so one process is no measure.
 */
export class HashProcess implements Disposable {
  readonly #child: ChildProcess = fork(PROGRAM);
  readonly #ended = new AbortController();

  constructor() {
    this.#child.once('exit', () => this.#ended.abort(new Error('the process that hashes has ended')));
  }

  /** Processor time of a hash in µs, of so many, of which some are computed at once. */
  async measure(order: HashOrder): Promise<number> {
    this.#child.send(order);
    const [us] = await once(this.#child, 'message', { signal: this.#ended.signal });
    return Number(us);
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }
}
