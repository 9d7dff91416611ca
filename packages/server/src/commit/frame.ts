/**
 * One message on its way to clients. It is encoded for a transport at most once, however many connections
 * receive it, so that telling a thousand listeners costs one encoding.
 */
export class Frame {
  readonly text: string;
  #bytes: Buffer | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** The message as the bytes of one transport; `encode` runs on the first call only. */
  bytes(encode: (text: string) => Buffer): Buffer {
    this.#bytes ??= encode(this.text);
    return this.#bytes;
  }
}
