import { Refusal } from '@hearth/core/fault/refusal.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Turn } from '../commit/turn.ts';
import type { Identity } from '../identity/identity.ts';
import type { Database } from './database.ts';
import {
  decodePending,
  encodePending,
  isNothingPending,
  NOTHING_PENDING,
  type PendingWrites,
  pendingWrites,
} from './pending-writes.ts';
import { decideWrite } from './write.ts';

/** Whose queue it is. */
export interface QueueOwner {
  readonly id: string;
  readonly database: Database;
  readonly identity: Identity;
}

/**
 * A session's queue as stored under its id in the table `sessions`, so that it is executed even when the server dies
 * with the session. UTF-8 JSON; version history: 1, the first.
 */
interface StoredQueue {
  readonly v: 1;
  readonly database: string;
  readonly identity: Identity;
  readonly writes: readonly (readonly [path: string, value: unknown])[];
}

/** Largest queue of one session in bytes of its stored form. */
export const MAX_QUEUE_BYTES = 16_777_216;

/** Changes the queue of a session; durable with the turn. Refuses with `write/too-big` a queue beyond its bound. */
export function changeQueue(
  turn: Turn,
  owner: QueueOwner,
  change: (pending: PendingWrites) => PendingWrites,
): void {
  turn.mustBeWritable();
  const stored = findQueue(turn, owner.id);
  const pending = change(stored === undefined ? NOTHING_PENDING : decodePending(stored.writes));
  if (isNothingPending(pending)) turn.tx.remove('sessions', queueKey(owner.id));
  else putQueue(turn, owner.id, owner.database.name, owner.identity, encodePending(pending));
}

/**
 * Remembers who the session is now: its queue, if it has one, is executed as that. Refuses with `store/full` or
 * `write/too-big`.
 */
export function storeIdentity(turn: Turn, sessionId: string, identity: Identity): void {
  const stored = findQueue(turn, sessionId);
  if (stored === undefined) return;
  turn.mustBeWritable();
  putQueue(turn, sessionId, stored.database, identity, encodePending(decodePending(stored.writes)));
}

/**
 * Executes the queue of a session that has ended as one write, by the rules and under the last identity of the session,
 * and removes it. A queue that is refused is dropped whole: nobody is left to be told.
 */
export function endDisconnected(turn: Turn, database: Database, sessionId: string): void {
  const stored = findQueue(turn, sessionId);
  // Without room for it the queue stays, and is executed at the next start.
  if (stored === undefined || !turn.isWritable) return;
  try {
    decideWrite(turn, database, {
      identity: stored.identity,
      writes: pendingWrites(decodePending(stored.writes)),
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  turn.tx.remove('sessions', queueKey(sessionId));
}

/** Ids and databases of the sessions whose queues are stored. */
export function listQueues(turn: Turn): readonly { readonly sessionId: string; readonly database: string }[] {
  return [...turn.tx.scan('sessions', {})].map(({ key, value }) => ({
    sessionId: key.toString('latin1'),
    database: decodeQueue(value).database,
  }));
}

function findQueue(turn: Turn, sessionId: string): StoredQueue | undefined {
  const bytes = turn.tx.find('sessions', queueKey(sessionId));
  return bytes === undefined ? undefined : decodeQueue(bytes);
}

function putQueue(
  turn: Turn,
  sessionId: string,
  database: string,
  identity: Identity,
  writesJson: string,
): void {
  const fields = `"v":1,"database":${JSON.stringify(database)},"identity":${JSON.stringify(identity)}`;
  const bytes = Buffer.from(`{${fields},"writes":${writesJson}}`);
  if (bytes.length > MAX_QUEUE_BYTES) throw new Refusal('write/too-big');
  turn.tx.put('sessions', queueKey(sessionId), bytes);
}

/** This program's own bytes: their shape is trusted, their version is not. */
function decodeQueue(bytes: Buffer): StoredQueue {
  const stored = parseJsonText(bytes.toString()) as StoredQueue;
  if (stored.v !== 1) throw new Error('A queue of a session was written by a newer version.');
  return stored;
}

function queueKey(sessionId: string): Buffer {
  return Buffer.from(sessionId, 'latin1');
}
