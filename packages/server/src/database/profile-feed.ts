import { HeldParts, OVER } from '../ops/held-parts.ts';

/** Longest text that waits for the reader, in UTF-16 code units; operations beyond are left out, and counted. */
const MAX_WAITING_UNITS = 4 * 2 ** 20;

/** How often something is said though nothing happens, so that nobody on the way takes the connection for dead. */
const KEEP_ALIVE_MS = 20_000;

const GREETING = ': profiling\n\n';
const KEEP_ALIVE = ': still there\n\n';

/**
 * Operations on their way to one reader, as the text of an event stream. Ends when the reader returns it or the server ends
 * it. What the reader is too slow for is left out, and the stream says so in a comment.
 */
export class ProfileFeed extends HeldParts {
  readonly #onEnd: () => void;
  /** The first text goes out at once, because the answer only begins with it. */
  #waiting = [GREETING];
  #units = 0;
  #leftOut = 0;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(onEnd: () => void) {
    super();
    this.#onEnd = onEnd;
  }

  add(operationJson: string): void {
    if (this.#isOver) return;
    if (this.#units > MAX_WAITING_UNITS) {
      this.#leftOut++;
      return;
    }
    this.#units += operationJson.length;
    this.#waiting.push(`event: log\ndata: ${operationJson}\n\n`);
    this.#wake?.();
  }

  override end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onEnd();
    this.#wake?.();
  }

  override async next(): Promise<IteratorResult<Buffer, void>> {
    if (this.#waiting.length === 0 && !this.#isOver) await this.#somethingToSay();
    if (this.#isOver) return OVER;
    const text = this.#waiting.length === 0 ? KEEP_ALIVE : this.#waiting.join('');
    const note = this.#leftOut === 0 ? '' : `: ${this.#leftOut} operations were left out\n\n`;
    this.#waiting = [];
    this.#units = 0;
    this.#leftOut = 0;
    return { done: false, value: Buffer.from(text + note) };
  }

  #somethingToSay(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), KEEP_ALIVE_MS);
      timer.unref();
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }
}
