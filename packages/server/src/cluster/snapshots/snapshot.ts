import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { decodeBody } from '../body.ts';
import { type ChainPosition, isLastValid } from '../chain.ts';
import { decodeMessage } from '../message.ts';
import { decodePosition, encodePosition } from '../node/position.ts';
import type { LogExtent, ReplicatedLog, StoredMessage } from '../replicated-log.ts';

/**
 * Describes a snapshot: everything that the nodes of a cluster have in common, after the records up to a position. It is
 * stored after the pieces, so that a snapshot with a description is complete.
 */
export interface Snapshot {
  /** From `snapshotId`. */
  readonly id: string;
  readonly position: ChainPosition;
  readonly pieces: number;
  /** Number of keys. */
  readonly keys: number;
  /** Length of all pieces before compression, and their SHA-256 in hexadecimal. */
  readonly bytes: number;
  readonly sha256: string;
}

/** Longest piece before compression. Small enough that compressing one does not delay clients. */
export const MAX_PIECE_BYTES = 128 * 1024;

/**
 * Returns the ID of a snapshot: the identity of its log, a hyphen, and 16 hexadecimal digits that no other snapshot of the log
 * has. So a snapshot is known to be of another log even before it is complete.
 */
export function snapshotId(log: string, digits: string): string {
  return `${log}-${digits}`;
}

export function isSnapshotOf(id: string, log: string): boolean {
  return id.startsWith(`${log}-`);
}

/** What the servers of the log store for a snapshot. */
export interface StoredSnapshots {
  /** Snapshots that are complete, the newest first. */
  readonly complete: readonly Snapshot[];
  /** For the ID of each other one, the number of its pieces. Another node may be storing it. */
  readonly unfinished: ReadonlyMap<string, number>;
}

/** Stores the snapshots of a shard next to its log. All methods reject if the servers do not answer in time. */
export interface SnapshotStorage {
  list(): Promise<StoredSnapshots>;
  /** Stores a piece of a snapshot. The number of the first one is 0. */
  putPiece(id: string, index: number, piece: Buffer): Promise<void>;
  /** Stores the description of a snapshot whose pieces are stored. */
  complete(snapshot: Snapshot): Promise<void>;
  /** Yields the pieces in order. Rejects if one is missing. */
  readPieces(snapshot: Snapshot): AsyncIterable<Buffer>;
  remove(id: string): Promise<void>;
}

export function encodeSnapshot({ position, ...rest }: Snapshot): Buffer {
  return Buffer.from(JSON.stringify({ ...rest, position: encodePosition(position) }));
}

/** Returns `undefined` for bytes that describe no snapshot. */
export function decodeSnapshot(bytes: Buffer): Snapshot | undefined {
  try {
    const json = parseJsonText(bytes.toString()) as Partial<Record<keyof Snapshot, unknown>>;
    const { id, position, pieces, keys, bytes: length, sha256 } = json;
    if (typeof id !== 'string' || typeof position !== 'string' || typeof sha256 !== 'string')
      return undefined;
    if (typeof pieces !== 'number' || typeof keys !== 'number' || typeof length !== 'number')
      return undefined;
    return { id, position: decodePosition(position), pieces, keys, bytes: length, sha256 };
  } catch {
    // Not written by this program.
    return undefined;
  }
}

/** Resolves with the messages of one read. */
export function readLog(log: ReplicatedLog, from: number, max: number): Promise<readonly StoredMessage[]> {
  return new Promise((resolve) => log.read(from, max, resolve));
}

/** Resolves with `undefined` if the log does not answer. */
export function readExtent(log: ReplicatedLog): Promise<LogExtent | undefined> {
  return new Promise((resolve) => log.extent(resolve));
}

/**
 * Returns whether a log continues a position: it still has the last valid message of the position. A log that has lost or
 * removed it does not. Resolves with `undefined` if the log does not answer, or does not reach so far.
 */
export async function continues(log: ReplicatedLog, position: ChainPosition): Promise<boolean | undefined> {
  const [first] = await readLog(log, position.validSlot, 1);
  if (first === undefined) return undefined;
  return first.slot === position.validSlot && isLastValid(first.message, position);
}

/** Returns whether a message says that the log continues data that it does not contain. */
export function isBase(bytes: Buffer): boolean {
  const message = decodeMessage(bytes);
  const body = typeof message === 'string' ? message : decodeBody(message.body);
  return typeof body !== 'string' && body.kind === 'base';
}
