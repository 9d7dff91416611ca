import { Refusal } from '@hearth/core/fault/refusal.ts';
import { proposeWrites } from '@hearth/core/rules/propose-writes.ts';
import type { Turn } from '../commit/turn.ts';
import type { Identity } from '../identity/identity.ts';
import { type Author, type Commit, nodeWrite, priorityWrite, type ValueWrite } from '../log/commit.ts';
import type { Asker } from './asker.ts';
import { combineWrites } from './combine-writes.ts';
import type { Database } from './database.ts';
import type { WriteRequest } from './database-service.ts';
import type { DraftWrite } from './draft-write.ts';
import { isStale, mustBeWritable } from './permission.ts';
import { profileBroadcast } from './profile-broadcast.ts';
import { Publication } from './publication.ts';
import type { DatabaseTree } from './tree-view.ts';
import { mustHoldConditions } from './write-conditions.ts';

/**
 * Decides one write on the state that the turn has reached, applies it and tells listeners. Returns the commit, or
 * `null` when there was nothing to change. Refuses, without any effect, with `access/denied`, `write/stale`,
 * `write/below-value`, `server-value/overflow`, `store/full`, `write/trigger-too-big`, or `read/too-big` when what is compared is too big to be
 * hashed.
 *
 * Rules see placeholders resolved, so that an increment beyond all numbers is refused before they are asked.
 */
export function decideWrite(turn: Turn, database: Database, request: WriteRequest): Commit | null {
  turn.mustBeWritable();
  const tree = database.tree(turn);
  const timeMs = turn.commitTimeMs(database.name);
  const writes = resolveWrites(tree, request.writes, timeMs);
  mustBeWritable(turn, database, request, { tree, writes, timeMs }, request.expected);
  if (request.expected !== undefined && isStale(tree, request.expected)) throw new Refusal('write/stale');
  if (request.conditions !== undefined) mustHoldConditions(tree, writes, request.conditions);
  const triggered = mayTrigger(request) ? database.triggers?.foresee(turn, tree, writes) : null;
  const publication = new Publication(database.listens, tree, writes);
  try {
    const effects = applyWrites(tree, writes);
    if (effects.length === 0) return null;
    database.activity.noteWrite(effects);
    const author = authorOf(request.identity);
    const commit = turn.append({ database: database.name, timeMs, author, writes: effects });
    publication.send(turn, tree, effects);
    profileBroadcast(turn, database, effects);
    if (triggered) database.triggers?.tell(turn, triggered, commit, request.identity);
    return commit;
  } catch (error) {
    // Something was written: to answer with a refusal now would be a lie.
    if (error instanceof Refusal) throw new Error('Bug: a write was refused halfway.', { cause: error });
    throw error;
  }
}

/** Only administrators can write without functions being told. */
function mayTrigger({ identity, areTriggersDisabled }: WriteRequest): boolean {
  return identity.kind !== 'admin' || areTriggersDisabled !== true;
}

/** Refuses with `access/denied` unless the writes might be made now, without making them. */
export function mustBeAllowedNow(
  turn: Turn,
  database: Database,
  asker: Asker,
  drafts: readonly DraftWrite[],
): void {
  if (asker.identity.kind === 'admin') return;
  const tree = database.tree(turn);
  const timeMs = turn.commitTimeMs(database.name);
  const writes = resolveWrites(tree, drafts, timeMs);
  mustBeWritable(turn, database, asker, { tree, writes, timeMs });
}

function resolveWrites(
  tree: DatabaseTree,
  drafts: readonly DraftWrite[],
  timeMs: number,
): readonly ValueWrite[] {
  return proposeWrites(drafts, tree, timeMs).map((write) =>
    write.kind === 'node' ? nodeWrite(write.path, write.node) : priorityWrite(write.path, write.priority),
  );
}

/** Returns those that had an effect, as they are to be recorded and told. `writes` are in the order of an update. */
function applyWrites(tree: DatabaseTree, writes: readonly ValueWrite[]): readonly ValueWrite[] {
  const [only] = writes;
  if (only !== undefined && writes.length === 1) return applyWrite(tree, only) ? [only] : [];
  const { removals, others } = combineWrites(
    {
      removals: writes.filter((write) => isRemoval(write) && applyWrite(tree, write)),
      others: writes.filter((write) => !isRemoval(write)),
    },
    (path) => tree.findValue(path) === null,
  );
  return [...removals, ...others.filter((write) => applyWrite(tree, write))];
}

function isRemoval(write: ValueWrite): boolean {
  return write.kind === 'node' && write.node === null;
}

function applyWrite(tree: DatabaseTree, write: ValueWrite): boolean {
  return write.kind === 'node'
    ? tree.writeNode(write.path, write.node, write.json)
    : tree.writePriority(write.path, write.priority);
}

export function authorOf(identity: Identity): Author {
  switch (identity.kind) {
    case 'admin':
    case 'guest':
      return { kind: identity.kind };
    case 'viewer':
      throw new Error('Bug: somebody wrote who may only look.');
    case 'user': {
      const { uid } = identity.auth;
      return { kind: 'user', uid: typeof uid === 'string' ? uid : '' };
    }
    default:
      return identity satisfies never;
  }
}
