import { Refusal } from '@hearth/core/fault/refusal.ts';
import { canonicalJson } from '@hearth/core/query/canonical-json.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Turn } from '../commit/turn.ts';
import type { Identity } from '../identity/identity.ts';
import type { KvRead } from '../kv/store.ts';
import type { Database } from './database.ts';
import { PendingWrites } from './pending-writes.ts';
import { decodeSessionId, queueEndKey, queueHeaderKey } from './pending-writes-key.ts';
import { decideWrite } from './write.ts';

/** Whose queue it is. */
export interface QueueOwner {
  readonly id: string;
  readonly database: Database;
  readonly identity: Identity;
}

/**
 * What is stored of a session that has a queue, beside the places of the queue itself, so that it is executed even when
 * the server dies with the session. JSON with exact integers; version history: 1, everything in one value; 2, a row for
 * each place.
 */
interface QueueHeader {
  readonly v: 2;
  readonly database: string;
  readonly identity: Identity;
  readonly bytes: number;
  readonly places: number;
}

/** Have the writes of a session that has ended been executed, or is there no room to execute them? */
export type EndOutcome = 'done' | 'postponed';

/**
 * Changes the queue of a session; durable with the turn. Refuses, and has no effect then, with `store/full`,
 * `write/too-big` beyond the bounds of a queue, or `path/too-long`.
 */
export function changeQueue(
  turn: Turn,
  { id, database, identity }: QueueOwner,
  change: (pending: PendingWrites) => void,
): void {
  turn.mustBeWritable();
  const { bytes, places } = findHeader(turn.tx, id) ?? { bytes: 0, places: 0 };
  const pending = new PendingWrites(turn.tx, id, { bytes, places });
  try {
    change(pending);
  } catch (error) {
    // Anything else undoes the whole turn.
    if (error instanceof Refusal) pending.undo();
    throw error;
  }
  if (pending.size.places > 0)
    putHeader(turn, id, { v: 2, database: database.name, identity, ...pending.size });
  else if (places > 0) turn.tx.remove('sessions', queueHeaderKey(id));
}

/**
 * Remembers who the session is now, for when the server dies with it: its queue is then executed as that. Without room
 * nothing is remembered; the session itself knows who it is.
 */
export function storeIdentity(turn: Turn, sessionId: string, identity: Identity): void {
  if (!turn.isWritable) return;
  const header = findHeader(turn.tx, sessionId);
  if (header !== undefined) putHeader(turn, sessionId, { ...header, identity });
}

/**
 * Executes the queue of a session that has ended as one write by the rules of now, and removes it; without room, neither.
 * It is written as `identity`, or as who the session is known to have been last. A queue that is refused is dropped whole:
 * nobody is left to be told. Throws when the queue cannot be read.
 */
export function endDisconnected(
  turn: Turn,
  database: Database,
  sessionId: string,
  identity?: Identity,
): EndOutcome {
  const header = findHeader(turn.tx, sessionId);
  if (header === undefined) return 'done';
  if (!turn.isWritable) return 'postponed';
  const pending = new PendingWrites(turn.tx, sessionId, header);
  const writes = pending.read();
  try {
    decideWrite(turn, database, {
      operation: 'onDisconnect',
      identity: identity ?? header.identity,
      writes,
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  pending.clear();
  turn.tx.remove('sessions', queueHeaderKey(sessionId));
  return 'done';
}

/** Places that a session has asked to be written to when it ends. */
export function countPending(tx: KvRead, sessionId: string): number {
  return findHeader(tx, sessionId)?.places ?? 0;
}

/** The first session after another, in the order of their ids, of which something is stored. */
export function findNextQueue(tx: KvRead, after: string | undefined): string | undefined {
  const range = after === undefined ? {} : { lower: queueEndKey(after) };
  for (const { key } of tx.scan('sessions', range)) return decodeSessionId(key);
  return undefined;
}

/** The database of a session's queue. Throws when there is none, or none that this program can read. */
export function readQueueDatabase(tx: KvRead, sessionId: string): string {
  const header = findHeader(tx, sessionId);
  if (header === undefined) throw new Error('What is stored of a session has no header.');
  return header.database;
}

/** This program's own bytes: their shape is trusted, their version is not. */
function findHeader(tx: KvRead, sessionId: string): QueueHeader | undefined {
  const bytes = tx.find('sessions', queueHeaderKey(sessionId));
  if (bytes === undefined) return undefined;
  const header = parseJsonText(bytes.toString()) as QueueHeader;
  if (header.v !== 2) throw new Error('A queue of a session was written by another version.');
  return header;
}

function putHeader(turn: Turn, sessionId: string, header: QueueHeader): void {
  turn.tx.put('sessions', queueHeaderKey(sessionId), Buffer.from(canonicalJson(header)));
}
