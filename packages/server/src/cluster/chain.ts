import {
  type ChainHash,
  chainHash,
  decodeMessage,
  FIRST_HASH,
  findPrevHash,
  type Message,
} from './message.ts';
import type { Slot, StoredMessage } from './replicated-log.ts';

/** How far a node has read a log. */
export interface ChainPosition {
  /** Slot of the last message that was read, valid or dead; 0 before the first. */
  readonly slot: Slot;
  /** Slot of the last valid message; 0 before the first. */
  readonly validSlot: Slot;
  /** Chain hash of the last valid message. */
  readonly hash: ChainHash;
  /** Epoch of the last valid message. */
  readonly epoch: number;
}

export const FIRST_POSITION: ChainPosition = { slot: 0, validSlot: 0, hash: FIRST_HASH, epoch: 0 };

/** A valid record, assembled from its messages. */
export interface LogRecord {
  /** Slot of the record's last message. */
  readonly slot: Slot;
  readonly epoch: number;
  readonly body: Buffer;
}

export type Reading =
  /** The message does not continue the chain. It changes nothing. */
  | { readonly kind: 'dead' }
  /** A valid chunk. Its record takes effect with the last chunk. */
  | { readonly kind: 'chunk' }
  | { readonly kind: 'record'; readonly record: LogRecord }
  /** A valid message that this program cannot read. The node must stop, because later messages depend on it. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * Returns whether a message is valid: the previous hash that it names must be the hash of the last valid message.
 * All nodes decide in the same way, because the decision depends only on earlier messages. The condition of an append does
 * not suffice, because it compares only a slot number. If the log rejects a message, a later message of the same sender can
 * still get its slot, although it builds on the rejected one.
 */
export function continuesChain(message: Buffer, { hash }: ChainPosition): boolean {
  return findPrevHash(message) === hash;
}

/** Decides whether a message counts. Only tests use another rule, to show what this one prevents. */
export type ValidityRule = typeof continuesChain;

const DEAD: Reading = { kind: 'dead' };
const CHUNK: Reading = { kind: 'chunk' };

/** Reads a log message by message and decides which of them count. Pure: reads no clock and stores nothing. */
export class ChainReader {
  readonly #isValid: ValidityRule;
  #position: ChainPosition;
  /** The last position that is not inside a record. */
  #boundary: ChainPosition;
  /** Bodies of the chunks of an unfinished record; at most `MAX_CHUNKS`. */
  #chunks: Buffer[] = [];
  /** Number of chunks of the unfinished record. */
  #total = 0;

  constructor(boundary: ChainPosition, isValid: ValidityRule = continuesChain) {
    this.#position = boundary;
    this.#boundary = boundary;
    this.#isValid = isValid;
  }

  get position(): ChainPosition {
    return this.#position;
  }

  /** The position to store with the effects of all records so far: a node that starts there misses no chunk. */
  get boundary(): ChainPosition {
    return this.#boundary;
  }

  /** Returns whether a message would be valid in the next slot. */
  isNext(message: Buffer): boolean {
    return this.#isValid(message, this.#position);
  }

  /** Reads the message of the next slot. Throws if it is of another slot. */
  read({ slot, message }: StoredMessage): Reading {
    if (slot !== this.#position.slot + 1)
      throw new Error(`Bug: message ${slot} was read after message ${this.#position.slot}.`);
    const prevHash = findPrevHash(message);
    if (prevHash === undefined || !this.isNext(message)) {
      this.#advance({ ...this.#position, slot });
      return DEAD;
    }
    const decoded = decodeMessage(message);
    if (typeof decoded === 'string') return { kind: 'unreadable', reason: decoded };
    return this.#readValid(slot, decoded, chainHash(prevHash, message));
  }

  #readValid(slot: Slot, { epoch, chunk, body }: Message, hash: ChainHash): Reading {
    const after = { slot, validSlot: slot, hash, epoch };
    if (chunk === null) {
      this.#chunks = [];
      this.#advance(after);
      return { kind: 'record', record: { slot, epoch, body } };
    }
    // A chunk that does not continue the unfinished record discards it. Readers that start after the discarded chunks
    // decide the same, because no boundary is inside a record.
    if (chunk.index === 0) {
      this.#chunks = [];
      this.#total = chunk.total;
    }
    if (chunk.index !== this.#chunks.length || chunk.total !== this.#total) {
      this.#chunks = [];
      this.#advance(after);
      return CHUNK;
    }
    this.#chunks.push(body);
    if (this.#chunks.length < chunk.total) {
      this.#position = after;
      return CHUNK;
    }
    const record = { slot, epoch, body: Buffer.concat(this.#chunks) };
    this.#chunks = [];
    this.#advance(after);
    return { kind: 'record', record };
  }

  #advance(position: ChainPosition): void {
    this.#position = position;
    if (this.#chunks.length === 0) this.#boundary = position;
  }
}

/**
 * Returns whether a message is the one that a position names as its last valid message. If it is not, the log has lost
 * messages and has others in their place.
 */
export function isLastValid(message: Buffer, { hash }: ChainPosition): boolean {
  const prevHash = findPrevHash(message);
  return prevHash !== undefined && chainHash(prevHash, message) === hash;
}
