/** One response over HTTP. */
export interface RawResponse {
  readonly status: number;
  readonly text: string;
}

const HEAD_END = '\r\n\r\n';

/** Reads the responses to pipelined requests, none of which is `HEAD`. */
export class ResponseReader {
  #rest: Buffer = Buffer.alloc(0);

  /** Returns the responses that are complete with the next bytes. */
  push(bytes: Buffer): readonly RawResponse[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const responses: RawResponse[] = [];
    for (let next = this.#take(); next !== undefined; next = this.#take()) responses.push(next);
    return responses;
  }

  #take(): RawResponse | undefined {
    const headEnd = this.#rest.indexOf(HEAD_END);
    if (headEnd === -1) return undefined;
    const head = this.#rest.toString('latin1', 0, headEnd).toLowerCase();
    const status = Number(/^http\/1\.1 (\d+)/.exec(head)?.[1] ?? 0);
    const start = headEnd + HEAD_END.length;
    const end = head.includes('\r\ntransfer-encoding: chunked')
      ? this.#findChunkedEnd(start)
      : start + Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
    if (end === undefined || end > this.#rest.length) return undefined;
    const text = this.#rest.toString('utf8', start, Math.min(end, start + 1_000));
    this.#rest = this.#rest.subarray(end);
    return { status, text };
  }

  /** Returns the end of a chunked body, or `undefined` if it is not there yet. */
  #findChunkedEnd(start: number): number | undefined {
    for (let at = start; ; ) {
      const lineEnd = this.#rest.indexOf('\r\n', at);
      if (lineEnd === -1) return undefined;
      const size = Number.parseInt(this.#rest.toString('latin1', at, lineEnd), 16);
      // The server sends no trailers.
      at = lineEnd + 2 + size + 2;
      if (size === 0) return at;
      if (at > this.#rest.length) return undefined;
    }
  }
}
