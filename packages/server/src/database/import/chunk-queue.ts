/** How the bytes of a source have ended. */
type End = { readonly kind: 'complete' } | { readonly kind: 'broken'; readonly error: unknown };

/**
 * Reads bytes ahead into one buffer, so that whoever works on them in turns finds enough of them. Stops reading, without closing
 * what it reads from, when told to.
 */
export class ChunkQueue {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #maxBytes: number;
  /** Always the same memory, unless more is asked for: memory that is given back for every chunk is slow to be reused. */
  #buffer: Buffer;
  #start = 0;
  #end = 0;
  #ending: End | undefined;
  /** What is waited for may be more than is read ahead otherwise. */
  #wantedBytes = 0;
  #isStopped = false;
  #wake: (() => void) | undefined;

  /** Reads ahead up to `maxBytes`, give or take a chunk. */
  constructor(chunks: AsyncIterable<Buffer>, maxBytes: number, signal: AbortSignal) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
    this.#buffer = Buffer.allocUnsafeSlow(2 * maxBytes);
    signal.addEventListener('abort', () => {
      this.#ending = { kind: 'broken', error: signal.reason };
      this.stop();
    });
    void this.#read();
  }

  /**
   * Everything that has come and was not taken, once it is more than `bytes` or nothing comes any more. Good until the next
   * `await`. Rejects when the source breaks off.
   */
  async waitBeyond(bytes: number): Promise<Buffer> {
    this.#wantedBytes = bytes;
    this.#tell();
    while (this.#length <= bytes && this.#ending === undefined) await this.#change();
    this.mustGoOn();
    return this.view();
  }

  /** Throws when the source has broken off. */
  mustGoOn(): void {
    if (this.#ending?.kind === 'broken') throw this.#ending.error;
  }

  /** Everything that has come and was not taken. Good until the next `await`. */
  view(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** Has everything come? */
  get hasEnded(): boolean {
    return this.#ending !== undefined;
  }

  /** Removes bytes from the front. */
  take(bytes: number): void {
    this.#start += bytes;
    this.#tell();
  }

  stop(): void {
    this.#isStopped = true;
    this.#tell();
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
        this.#tell();
        while (this.#length > Math.max(this.#maxBytes, this.#wantedBytes) && !this.#isStopped)
          await this.#change();
      }
      this.#ending ??= { kind: 'complete' };
    } catch (error) {
      this.#ending ??= { kind: 'broken', error };
    }
    this.#tell();
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

  /** Resolves when the reader or the taker has done something. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      const others = this.#wake;
      this.#wake = () => {
        others?.();
        resolve();
      };
    });
  }

  #tell(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
