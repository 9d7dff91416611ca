import type { Path } from '@hearth/core/tree/path.ts';

/** The text of a message that is still being generated. */
export interface PendingText {
  /** Resolves with the text, or with `undefined` if there is nothing to send. Rejects if it cannot be generated. */
  readonly text: Promise<string | undefined>;
  /** Ends the work on the text. Idempotent. */
  stop(): void;
}

/** The data that a message brings: those at a path and below, for listens to nodes or for the query with a tag. */
export interface PushedData {
  readonly path: Path;
  /** `null` for listens to nodes. */
  readonly tag: number | null;
}

/**
 * A message to be sent to clients. It is encoded at most once, for any number of connections. A broadcast to a
 * thousand listeners therefore costs one encoding.
 */
export class OutgoingMessage {
  /** Empty if the text is pending. */
  readonly text: string;
  /** Messages after this one wait until its text is known. */
  readonly pending: PendingText | undefined;
  /** `null` if the message brings no data of a listen. */
  readonly data: PushedData | null;
  #bytes: Buffer | undefined;
  #complete: OutgoingMessage | undefined;

  constructor(text: string | PendingText, data: PushedData | null = null) {
    this.data = data;
    this.text = typeof text === 'string' ? text : '';
    this.pending = typeof text === 'string' ? undefined : text;
  }

  /** Returns the message with its text, which is known now. All receivers get the same one. */
  complete(text: string): OutgoingMessage {
    this.#complete ??= new OutgoingMessage(text, this.data);
    return this.#complete;
  }

  /** Returns the message as bytes for its transport. `encode` runs on the first call only. */
  bytes(encode: (text: string) => Buffer): Buffer {
    this.#bytes ??= encode(this.text);
    return this.#bytes;
  }
}
