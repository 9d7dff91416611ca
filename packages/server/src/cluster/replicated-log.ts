/** Number of a message in a log: 1, 2, 3 … without gaps. */
export type Slot = number;

export interface StoredMessage {
  readonly slot: Slot;
  readonly message: Buffer;
}

export type AppendOutcome =
  /** A quorum of servers has the message on disk, in the slot after `expectedLast`. */
  | { readonly kind: 'stored' }
  /** The log has another last slot. `last` may count messages that no quorum has yet. */
  | { readonly kind: 'rejected'; readonly last: Slot | undefined }
  /** The message may be stored now, may be stored later, or may be lost. */
  | { readonly kind: 'unknown' };

/** The slots that a log has; `last` is `first - 1` in an empty log. */
export interface LogExtent {
  readonly first: Slot;
  readonly last: Slot;
  /** Bytes of all messages, with what the engine adds to them. */
  readonly bytes: number;
}

/**
 * One shard of the log that the nodes of a cluster share. Everything that depends on its engine is behind this
 * interface.
 *
 * Results come by callback, exactly once, and never before the call returns. A simulation can therefore run
 * thousands of histories in one iteration of the event loop, and repeat each of them exactly.
 */
export interface ReplicatedLog {
  /**
   * Stores a message of at most `MAX_MESSAGE_BYTES` in the slot after `expectedLast`, or not at all. `stored` does not
   * mean that the message is valid: `chain.ts` decides that.
   */
  append(expectedLast: Slot, message: Buffer, done: (outcome: AppendOutcome) => void): void;
  /**
   * Reads at most `max` consecutive messages, from `from` or from the first slot if that is later. Reports fewer or no
   * messages if the engine is behind or cannot be reached: absence proves nothing.
   */
  read(from: Slot, max: number, done: (messages: readonly StoredMessage[]) => void): void;
  /** Reports the extent of the log, possibly an earlier one; `undefined` if the engine cannot be reached. */
  extent(done: (extent: LogExtent | undefined) => void): void;
  /** Removes all messages before `first`, at some time. Never removes the last message. */
  trim(first: Slot, done: (isDone: boolean) => void): void;
  /** Sends bytes to all subscribers of the shard, including the sender. Bytes may be lost, doubled or reordered. */
  publish(bytes: Buffer): void;
  /** Calls `receive` for published bytes, until the returned function is called. */
  subscribe(receive: (bytes: Buffer) => void): () => void;
}
