import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Turn } from '../commit/turn.ts';
import type { SnapshotKvStore } from '../kv/snapshot.ts';
import type { Clock } from '../ops/clock.ts';
import type { Logger } from '../ops/logger.ts';
import type { Database } from './database.ts';
import { mustBeIndexed } from './indexed.ts';
import { isReadable, mustBeReadable } from './permission.ts';
import type { ReadLane } from './read-lane.ts';
import type { ReadAnswer, ReadRequest } from './read-request.ts';
import { takeStep } from './read-step.ts';
import { SnapshotParts } from './snapshot-parts.ts';

/** Pieces of the first step whatever the clock says: a small answer is whole even where the process was held up. */
const FIRST_STEP_PIECES = 4;

/** What reads are made with. */
export interface Reading {
  readonly store: SnapshotKvStore;
  readonly clock: Clock;
  readonly lane: ReadLane;
  readonly logger: Logger;
}

/**
 * Decides one read on the state that the turn has reached. What one step can make is answered at once; anything longer
 * begins anew on a snapshot of that state, after the turn. Refuses with `access/denied`, with `query/unindexed`, with
 * `request/overload` when too many long reads are under way, and with `read/too-big` what is too big to be hashed.
 */
export function decideRead(
  turn: Turn,
  database: Database,
  request: ReadRequest,
  reading: Reading,
): ReadAnswer {
  const { path, form, selection, wantsHash, timeoutMs, isFollowUp = false } = request;
  const query = selection.kind === 'query' ? selection.query : null;
  const target = { path, query };
  if (!isFollowUp) mustBeReadable(turn, database, request, target);
  else if (!isReadable(turn, database, request, target)) throw new Refusal('access/denied');
  if (query !== null) mustBeIndexed(turn, database, path, query.index);
  const tree = database.tree(turn);
  const hash = wantsHash ? tree.hash(path) : null;
  const stored = selection.kind === 'node' ? tree.findStoredJson(path, form) : undefined;
  if (stored !== undefined) return { json: { kind: 'whole', bytes: stored }, hash };
  const openPieces = tree.selectionJson(path, selection, form);
  const { pieces, isLast } = takeStep(openPieces(turn.tx), reading.clock, FIRST_STEP_PIECES);
  if (isLast) return { json: { kind: 'whole', bytes: joinPieces(pieces) }, hash };
  const parts = new SnapshotParts({ ...reading, openPieces, timeoutMs });
  return { json: { kind: 'parts', parts, broken: parts.broken }, hash };
}

function joinPieces(pieces: readonly Buffer[]): Buffer {
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
}
