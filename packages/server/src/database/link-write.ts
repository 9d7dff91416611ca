import type { Path } from '@hearth/core/tree/path.ts';
import type { Turn } from '../commit/turn.ts';
import { type Commit, type CommitWrite, nodeWrite } from '../log/commit.ts';
import type { BuiltTree } from '../tree/container-stack.ts';
import type { CatalogEntry } from '../tree/index-catalog.ts';
import type { Asker } from './asker.ts';
import type { Database } from './database.ts';
import { Publication } from './publication.ts';
import type { DatabaseTree } from './tree-view.ts';
import { mustBeUnseenWritable } from './unseen-write.ts';
import { authorOf } from './write.ts';

/** A tree that was built for a place. */
export interface BuiltPlace {
  readonly path: Path;
  readonly built: BuiltTree;
}

export interface LinkRequest extends Asker {
  /** None of them is at or above another. */
  readonly places: readonly BuiltPlace[];
  /** The indexes that were declared when building began. */
  readonly catalog: readonly CatalogEntry[];
  /** Others that were declared while some of it was built; none if it was built in one turn. */
  readonly later?: readonly CatalogEntry[];
}

/**
 * Decides writes whose values were built in the store before, as `decideWrite` does others, and puts them in their places in
 * one commit, which leaves the values out; `null` when there was nothing to change. Refuses, without any effect, with `access/denied` or `store/full`.
 */
export function decideLink(turn: Turn, database: Database, request: LinkRequest): Commit | null {
  const { identity, places, catalog, later = [] } = request;
  turn.mustBeWritable();
  const paths = places.map(({ path }) => path);
  mustBeUnseenWritable(turn, database, request, paths, 'end');
  const tree = database.tree(turn);
  const timeMs = turn.commitTimeMs(database.name);
  const publication = new Publication(database.listens, tree, places.map(writeOf));
  const writes = places.filter((place) => applyPlace(tree, place, catalog, later)).map(writeOf);
  if (writes.length === 0) return null;
  database.activity.noteWrite(writes);
  const commit = turn.append({ database: database.name, timeMs, author: authorOf(identity), writes });
  publication.send(turn, tree, writes);
  return commit;
}

function writeOf({ path, built }: BuiltPlace): CommitWrite {
  return built.kind === 'nothing' ? nodeWrite(path, null) : { kind: 'linked', path };
}

/** Was there anything to be done? */
function applyPlace(
  tree: DatabaseTree,
  { path, built }: BuiltPlace,
  catalog: readonly CatalogEntry[],
  later: readonly CatalogEntry[],
): boolean {
  if (built.kind === 'nothing') return tree.writeNode(path, null);
  tree.link(path, built, catalog, later);
  return true;
}
