import type { TreeNode } from '@hearth/core/tree/node.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { KvRead } from '../../storage/kv/store.ts';
import { authorOf, type Commit, type CommitWrite, nodeWrite } from '../../storage/log/commit.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import type { BuiltTree } from '../../storage/tree/builder-state.ts';
import { blobNode } from '../../storage/tree/entry.ts';
import type { CatalogEntry } from '../../storage/tree/index-catalog.ts';
import { storedNode } from '../../storage/tree/read.ts';
import { authorizeStored, requireMayBeAllowed, requireNotStale, type StoredContext } from './authorize.ts';
import { Publication } from './broadcast.ts';
import type { Database } from './database.ts';
import type { DatabaseTree } from './tree-view.ts';

/** A tree that was built for a path. */
export interface BuiltWrite {
  readonly path: Path;
  readonly built: BuiltTree;
}

export interface LinkRequest extends StoredContext {
  /** No path is at or above another. */
  readonly targets: readonly BuiltWrite[];
  /** The indexes declared when building began. */
  readonly catalog: readonly CatalogEntry[];
  /** Further indexes declared while part of the trees was built. Empty if all were built in one transaction. */
  readonly later?: readonly CatalogEntry[];
}

/**
 * Executes writes whose values are already built in the store. Links the values in one commit, which omits them.
 * Otherwise works like `executeWrite`. Returns `null` if there was nothing to change. Throws `access/denied`,
 * `write/stale` or `store/full`, without any effect, and `PostponedRequest` until a value is validated.
 */
export function executeLink(
  transaction: WriteTransaction,
  database: Database,
  request: LinkRequest,
): Commit | null {
  const { identity, targets, catalog, later = [] } = request;
  transaction.assertWritable();
  const proposals = targets.map(({ path, built }) => ({
    path,
    stored: built,
    findNode: (tx: KvRead) => builtTreeNode(tx, built),
  }));
  authorizeStored(transaction, database, request, proposals);
  const tree = database.tree(transaction);
  const timeMs = transaction.commitTimeMs(database.name);
  const publication = new Publication(database, tree, targets.map(writeOf));
  const writes = targets.filter((target) => applyBuilt(tree, target, catalog, later)).map(writeOf);
  if (writes.length === 0) return null;
  database.activity.recordWrite(writes, database.rules.root);
  const commit = transaction.append({ database: database.name, timeMs, author: authorOf(identity), writes });
  publication.send(transaction, tree, writes);
  return commit;
}

/** Returns a built tree. Its children are read from the store when they are needed. */
function builtTreeNode(tx: KvRead, built: BuiltTree): TreeNode | null {
  switch (built.kind) {
    case 'nothing':
      return null;
    case 'blob':
      return blobNode(built.entry);
    case 'node':
      return storedNode(tx, { kind: 'reference', node: built.node, priority: built.priority });
    default:
      return built satisfies never;
  }
}

/**
 * Throws `store/full`, `access/denied` or `write/stale` if a write of a value that is not built yet would be rejected
 * now, and `PostponedRequest` until that is known.
 */
export function requireMayLink(
  transaction: WriteTransaction,
  database: Database,
  context: StoredContext,
  path: Path,
): void {
  transaction.assertWritable();
  requireMayBeAllowed(transaction, database, context, path);
  requireNotStale(transaction, database, context, context.expected);
}

function writeOf({ path, built }: BuiltWrite): CommitWrite {
  return built.kind === 'nothing' ? nodeWrite(path, null) : { kind: 'linked', path };
}

/** Applies one write and returns whether there was anything to change. */
function applyBuilt(
  tree: DatabaseTree,
  { path, built }: BuiltWrite,
  catalog: readonly CatalogEntry[],
  later: readonly CatalogEntry[],
): boolean {
  if (built.kind === 'nothing') return tree.writeNode(path, null);
  tree.link(path, built, catalog, later);
  return true;
}
