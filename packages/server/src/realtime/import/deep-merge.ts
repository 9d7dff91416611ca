import { must } from '@hearth/core/error/assert.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { OBJECT } from '@hearth/core/tree/order.ts';
import { joinPaths, type Path } from '@hearth/core/tree/path.ts';
import { childEntryKey, type NodeId } from '../../storage/kv/keys.ts';
import type { KvRead } from '../../storage/kv/store.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { StagedJson, type StagedJsonState } from '../../storage/tree/builder.ts';
import { blobNode, findBlob } from '../../storage/tree/entry.ts';
import { scanChildEntries } from '../../storage/tree/read.ts';
import type { Database } from '../database/database.ts';
import type { BuiltWrite } from '../database/linked-write.ts';
import type { DatabaseTree } from '../database/tree-view.ts';
import type { DraftWrite } from '../database/write-input.ts';
import type { ImportCounts, ImportSource, ImportSourceOptions } from './import.ts';
import { MAX_LOGGED_BYTES, writeParts } from './merge.ts';
import { builtNode, DeclaredWhileStaging, type DeclaredWhileStagingState } from './replace.ts';

export interface DeepMergeState {
  readonly kind: 'deep-merge';
  readonly indexes: DeclaredWhileStagingState;
  readonly json: StagedJsonState | null;
  readonly walk: DeepMergeWalk | null;
  readonly takenBytes: number;
}

/** Progress of writing a complete source, as JSON. */
interface DeepMergeWalk {
  /** The large objects of the source that are being merged, from the outside in. */
  readonly open: readonly OpenNode[];
  /** Number of nodes written to the database. */
  readonly written: number;
  /** Whether the whole source took the place of the stored node. */
  readonly isLinked: boolean;
}

interface OpenNode {
  readonly node: NodeId;
  readonly path: Path;
  /** The last child that is done. */
  readonly reached: Key | null;
}

/** Number of writes at which a step ends. The child that reaches it is completed. */
const STEP_WRITES = 200;

/** The writes of one step. */
interface StepWrites {
  readonly small: { readonly path: Path; readonly node: TreeNode }[];
  readonly targets: BuiltWrite[];
  /** The entries of the source that refer to the linked nodes. */
  readonly linked: Buffer[];
}

/**
 * Builds an unlinked tree, and when it is complete merges it at every level: objects that both have are merged, and
 * everything else of the source replaces what is there. Nothing else is removed. A stored object keeps its priority.
 */
export class DeepMergeSource implements ImportSource<DeepMergeState> {
  readonly #options: ImportSourceOptions;
  readonly #indexes: DeclaredWhileStaging;
  readonly #staged: StagedJson;
  #walk: DeepMergeWalk | null;
  #takenBytes: number;

  constructor(options: ImportSourceOptions, { indexes, json, walk, takenBytes }: DeepMergeState) {
    this.#options = options;
    this.#indexes = new DeclaredWhileStaging(indexes);
    this.#staged = new StagedJson(options, json ?? undefined);
    this.#walk = walk;
    this.#takenBytes = takenBytes;
  }

  take(transaction: WriteTransaction, database: Database, bytes: Buffer, isLast: boolean): number {
    const tree = database.tree(transaction);
    this.#indexes.record(tree);
    const taken = this.#staged.scan(tree.buildTarget(), bytes, isLast);
    this.#takenBytes += taken;
    return taken;
  }

  finish(transaction: WriteTransaction, database: Database): boolean {
    const tree = database.tree(transaction);
    this.#indexes.record(tree);
    const writes: StepWrites = { small: [], targets: [], linked: [] };
    const { open, written, isLinked } = this.#walk ?? this.#begin(tree, writes);
    const stillOpen = collectStep(transaction.tx, tree, open, writes);
    this.#apply(transaction, database, writes);
    for (const key of writes.linked) transaction.tx.remove('tree', key);
    this.#walk = {
      open: stillOpen,
      written: written + writes.small.length + writes.targets.length,
      isLinked,
    };
    return stillOpen.length === 0;
  }

  get unreferenced(): readonly NodeId[] {
    return this.#walk?.isLinked === true ? [] : this.#staged.unreferenced;
  }

  get counts(): ImportCounts {
    return { children: this.#walk?.written ?? 0 };
  }

  save(): DeepMergeState {
    return {
      kind: 'deep-merge',
      indexes: this.#indexes.save(),
      json: this.#staged.save(),
      walk: this.#walk,
      takenBytes: this.#takenBytes,
    };
  }

  /** Adds the first writes, and returns the progress after them. */
  #begin(tree: DatabaseTree, writes: StepWrites): DeepMergeWalk {
    const { path } = this.#options;
    const built = must(this.#staged.built, 'the source is complete');
    if (built.kind !== 'node') {
      const node = builtNode(built);
      if (node !== null) collectSmall(tree, path, node, writes);
      return { open: [], written: 0, isLinked: false };
    }
    if (tree.findValue(path) === OBJECT)
      return { open: [{ node: built.node, path, reached: null }], written: 0, isLinked: false };
    writes.targets.push({ path, built });
    return { open: [], written: 0, isLinked: true };
  }

  /** Makes the writes of one step. After `MAX_LOGGED_BYTES`, they are linked, so that they do not fill the log. */
  #apply(transaction: WriteTransaction, database: Database, { small, targets }: StepWrites): void {
    const links = [...targets];
    const writes: DraftWrite[] = [];
    for (const { path, node } of small) {
      const entry = this.#takenBytes > MAX_LOGGED_BYTES ? findBlob(node) : undefined;
      if (entry !== undefined) links.push({ path, built: { kind: 'blob', entry } });
      else writes.push({ kind: 'node', path, draft: { kind: 'resolved', node } });
    }
    writeParts(transaction, database, this.#options, { links, writes, indexes: this.#indexes.save() });
  }
}

/** Collects the writes of one step, and returns the objects that are still open after them. */
function collectStep(
  tx: KvRead,
  tree: DatabaseTree,
  before: readonly OpenNode[],
  writes: StepWrites,
): readonly OpenNode[] {
  const open = [...before];
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    const next = collectChildren(tx, tree, here, writes);
    if (next === undefined) continue;
    open.push(...next);
    if (writes.small.length + writes.targets.length >= STEP_WRITES) break;
  }
  return open;
}

/**
 * Collects the writes of an object's children. Returns the objects to continue with; `undefined` when all children are
 * done.
 */
function collectChildren(
  tx: KvRead,
  tree: DatabaseTree,
  here: OpenNode,
  writes: StepWrites,
): readonly OpenNode[] | undefined {
  for (const { key, entry } of scanChildEntries(tx, here.node, here.reached ?? undefined)) {
    if (key === here.reached) continue;
    const path = joinPaths(here.path, [key]);
    const reached = { ...here, reached: key };
    if (entry.kind === 'blob') collectSmall(tree, path, blobNode(entry.bytes), writes);
    else if (tree.findValue(path) === OBJECT) return [reached, { node: entry.node, path, reached: null }];
    else {
      writes.targets.push({ path, built: { kind: 'node', node: entry.node, priority: entry.priority } });
      writes.linked.push(childEntryKey(here.node, key));
    }
    if (writes.small.length + writes.targets.length >= STEP_WRITES) return [reached];
  }
  return undefined;
}

/** Collects the writes that merge a small node. */
function collectSmall(tree: DatabaseTree, path: Path, node: TreeNode, writes: StepWrites): void {
  if (node.kind === 'leaf' || tree.findValue(path) !== OBJECT) {
    writes.small.push({ path, node });
    return;
  }
  for (const [key, child] of node.children) collectSmall(tree, joinPaths(path, [key]), child, writes);
}
