import { HeldParts, OVER } from '../../ops/held-parts.ts';

type Lines = AsyncGenerator<Buffer, void, undefined>;

/** The lines of a search that is under way from the moment it is opened, be it read or not. */
export class RunningSearch extends HeldParts {
  readonly #lines: Lines;
  readonly #onEnd: () => void;
  readonly #broken = new AbortController();
  #hasEnded = false;

  constructor(lines: Lines, onEnd: () => void) {
    super();
    this.#lines = lines;
    this.#onEnd = onEnd;
  }

  /** Aborted by `stop`, for a reader that is not asking. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  /** Ends the search without its reader having asked for it. */
  stop(): void {
    this.end();
    this.#broken.abort();
  }

  override async next(): Promise<IteratorResult<Buffer, void>> {
    if (this.#hasEnded) return OVER;
    try {
      const line = await this.#lines.next();
      if (line.done === true) this.end();
      return this.#hasEnded ? OVER : line;
    } catch (error) {
      this.end();
      throw error;
    }
  }

  override end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    void this.#lines.return();
    this.#onEnd();
  }
}
