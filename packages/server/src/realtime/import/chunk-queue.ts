/** How the bytes of a source ended. */
type End = { readonly kind: 'complete' } | { readonly kind: 'broken'; readonly error: unknown };

/**
 * Reads bytes ahead into one buffer, so that a consumer that works in steps finds enough bytes. `stop` stops the reading
 * and does not close the source.
 */
export class ChunkQueue {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #maxBytes: number;
  /** The same memory is reused unless more is needed, because allocating memory for each chunk is slow. */
  #buffer: Buffer;
  #start = 0;
  #end = 0;
  #ending: End | undefined;
  /** A waiting consumer may need more than is normally read ahead. */
  #wantedBytes = 0;
  #isStopped = false;
  #wake: (() => void) | undefined;
  readonly #signal: AbortSignal;
  readonly #onAbort = (): void => this.#abort();

  /** Starts reading ahead up to about `maxBytes`; the last chunk may exceed the limit. */
  constructor(chunks: AsyncIterable<Buffer>, maxBytes: number, signal: AbortSignal) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
    this.#buffer = Buffer.allocUnsafeSlow(2 * maxBytes);
    this.#signal = signal;
    // A signal that is aborted already sends no event.
    if (signal.aborted) this.#abort();
    else signal.addEventListener('abort', this.#onAbort);
    void this.#read();
  }

  #abort(): void {
    this.#ending = { kind: 'broken', error: this.#signal.reason };
    this.stop();
  }

  /**
   * Waits until more than `bytes` untaken bytes have arrived or the source has ended, and returns all untaken
   * bytes. They are valid until the next `await`. Rejects when the source is interrupted.
   */
  async waitBeyond(bytes: number): Promise<Buffer> {
    this.#wantedBytes = bytes;
    this.#notify();
    while (this.#length <= bytes && this.#ending === undefined) await this.#nextChange();
    this.throwIfBroken();
    return this.view();
  }

  /** Throws if the source was interrupted. */
  throwIfBroken(): void {
    if (this.#ending?.kind === 'broken') throw this.#ending.error;
  }

  /** Returns all untaken bytes. They are valid until the next `await`. */
  view(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** Whether no more bytes arrive: the source is complete or was interrupted. */
  get hasEnded(): boolean {
    return this.#ending !== undefined;
  }

  /** Removes bytes from the front. */
  take(bytes: number): void {
    this.#start += bytes;
    this.#notify();
  }

  stop(): void {
    this.#isStopped = true;
    // Node keeps a signal that combines others as long as it has listeners, and with it this buffer.
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#notify();
  }

  get #length(): number {
    return this.#end - this.#start;
  }

  async #read(): Promise<void> {
    try {
      while (!this.#isStopped) {
        const next = await this.#chunks.next();
        if (next.done === true) break;
        this.#append(next.value);
        this.#notify();
        while (this.#length > Math.max(this.#maxBytes, this.#wantedBytes) && !this.#isStopped)
          await this.#nextChange();
      }
      this.#ending ??= { kind: 'complete' };
    } catch (error) {
      this.#ending ??= { kind: 'broken', error };
    }
    this.#notify();
  }

  #append(chunk: Buffer): void {
    if (this.#end + chunk.length > this.#buffer.length) {
      const length = this.#length + chunk.length;
      const target = length <= this.#buffer.length ? this.#buffer : Buffer.allocUnsafeSlow(2 * length);
      this.#buffer.copy(target, 0, this.#start, this.#end);
      this.#buffer = target;
      this.#end = this.#length;
      this.#start = 0;
    }
    chunk.copy(this.#buffer, this.#end);
    this.#end += chunk.length;
  }

  /** Resolves at the next change by the reader or the consumer. */
  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const others = this.#wake;
      this.#wake = () => {
        others?.();
        resolve();
      };
    });
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
