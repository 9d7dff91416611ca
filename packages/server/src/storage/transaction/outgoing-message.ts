/**
 * A message to be sent to clients. It is encoded at most once, for any number of connections. A broadcast to a
 * thousand listeners therefore costs one encoding.
 */
export class OutgoingMessage {
  readonly text: string;
  #bytes: Buffer | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the message as bytes for its transport. `encode` runs on the first call only. */
  bytes(encode: (text: string) => Buffer): Buffer {
    this.#bytes ??= encode(this.text);
    return this.#bytes;
  }
}
