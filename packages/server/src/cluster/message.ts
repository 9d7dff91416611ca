import { hash } from 'node:crypto';

declare const brand: unique symbol;

/** The first 16 bytes of a SHA-256 hash of a message and all valid messages before it, as 16 Latin-1 characters. */
export type ChainHash = string & { readonly [brand]: 'ChainHash' };

const HASH_BYTES = 16;

/** The hash before the first message. */
export const FIRST_HASH = '\0'.repeat(HASH_BYTES) as ChainHash;

/** The place of a chunk among the messages of its record. */
export interface Chunk {
  readonly index: number;
  readonly total: number;
}

/**
 * One message of the log: a record, or a chunk of one.
 *
 * Shape: format (1 byte; bit 7: chunk), lowest version of a reader that can apply it (1 byte), epoch (4 bytes),
 * previous hash (16 bytes), for a chunk its index and the number of chunks (2 bytes each), body. Numbers are
 * big-endian. The first 22 bytes have this shape in every format, so that every reader can follow the chain.
 *
 * Version history: 1, the first.
 */
export interface Message {
  /** Number of the sequencer's term. */
  readonly epoch: number;
  /** Chain hash of the last valid message before this one. */
  readonly prevHash: ChainHash;
  readonly chunk: Chunk | null;
  readonly body: Buffer;
}

const FORMAT = 1;
/** Version of this reader. */
const READER = 1;
const CHUNK_BIT = 0x80;
const EPOCH_OFFSET = 2;
const HASH_OFFSET = 6;
const HEADER_BYTES = HASH_OFFSET + HASH_BYTES;
const CHUNK_BYTES = 4;

/** Longest body of one message. A longer body is divided, so that it does not delay the messages of other shards. */
export const MAX_BODY_BYTES = 512 * 1024;

/** Longest message. An engine that accepts only shorter messages cannot be used. */
export const MAX_MESSAGE_BYTES = MAX_BODY_BYTES + HEADER_BYTES + CHUNK_BYTES;

/** Maximum number of messages of one record, which holds at most 256 MiB. */
export const MAX_CHUNKS = 512;

export function encodeMessage({ epoch, prevHash, chunk, body }: Message): Buffer {
  const start = HEADER_BYTES + (chunk === null ? 0 : CHUNK_BYTES);
  const bytes = Buffer.allocUnsafe(start + body.length);
  bytes[0] = chunk === null ? FORMAT : FORMAT | CHUNK_BIT;
  bytes[1] = READER;
  bytes.writeUInt32BE(epoch, EPOCH_OFFSET);
  bytes.write(prevHash, HASH_OFFSET, 'latin1');
  if (chunk !== null) {
    bytes.writeUInt16BE(chunk.index, HEADER_BYTES);
    bytes.writeUInt16BE(chunk.total, HEADER_BYTES + 2);
  }
  body.copy(bytes, start);
  return bytes;
}

/** Returns the previous hash that a message names; `undefined` if the bytes are too short for a message. */
export function findPrevHash(bytes: Buffer): ChainHash | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  return bytes.toString('latin1', HASH_OFFSET, HEADER_BYTES) as ChainHash;
}

/** Returns the chain hash after a message whose previous hash is `prevHash`. */
export function chainHash(prevHash: ChainHash, bytes: Buffer): ChainHash {
  const input = Buffer.concat([Buffer.from(prevHash, 'latin1'), bytes]);
  return hash('sha256', input, 'buffer').toString('latin1', 0, HASH_BYTES) as ChainHash;
}

/** Decodes a message that has a previous hash. Returns a sentence if this version cannot read it. */
export function decodeMessage(bytes: Buffer): Message | string {
  const format = bytes.readUInt8(0);
  if (bytes.readUInt8(1) > READER || (format & ~CHUNK_BIT) !== FORMAT)
    return `it has format ${format & ~CHUNK_BIT} for readers of version ${bytes.readUInt8(1)}, and this program is a reader of version ${READER}`;
  if (bytes.length > MAX_MESSAGE_BYTES)
    return `it has ${bytes.length} bytes, and at most ${MAX_MESSAGE_BYTES} are allowed`;
  const epoch = bytes.readUInt32BE(EPOCH_OFFSET);
  const prevHash = bytes.toString('latin1', HASH_OFFSET, HEADER_BYTES) as ChainHash;
  if ((format & CHUNK_BIT) === 0) return { epoch, prevHash, chunk: null, body: bytes.subarray(HEADER_BYTES) };
  if (bytes.length < HEADER_BYTES + CHUNK_BYTES) return 'it is a chunk without a number';
  const index = bytes.readUInt16BE(HEADER_BYTES);
  const total = bytes.readUInt16BE(HEADER_BYTES + 2);
  if (index >= total || total > MAX_CHUNKS) return `it is chunk ${index} of ${total}`;
  return { epoch, prevHash, chunk: { index, total }, body: bytes.subarray(HEADER_BYTES + CHUNK_BYTES) };
}

/** A message together with the chain hash after it. */
export interface ChainedMessage {
  readonly bytes: Buffer;
  readonly hash: ChainHash;
}

/**
 * Returns the messages of a record, in order, with at most `maxBodyBytes` of its body in each. Throws if the body needs
 * more than `MAX_CHUNKS` messages.
 */
export function encodeRecord(
  epoch: number,
  prevHash: ChainHash,
  body: Buffer,
  maxBodyBytes = MAX_BODY_BYTES,
): readonly ChainedMessage[] {
  const total = Math.max(1, Math.ceil(body.length / maxBodyBytes));
  if (total > MAX_CHUNKS) throw new Error(`Bug: a record of ${body.length} bytes is too long for the log.`);
  const messages: ChainedMessage[] = [];
  let last = prevHash;
  for (let index = 0; index < total; index++) {
    const chunk = total === 1 ? null : { index, total };
    const part = body.subarray(index * maxBodyBytes, (index + 1) * maxBodyBytes);
    const bytes = encodeMessage({ epoch, prevHash: last, chunk, body: part });
    last = chainHash(last, bytes);
    messages.push({ bytes, hash: last });
  }
  return messages;
}
