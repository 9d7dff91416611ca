import { must } from '@hearth/core/error/assert.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Key } from '@hearth/core/tree/key.ts';
import { childEntryKey, type NodeId } from '../../storage/kv/keys.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { StagedJson, type StagedJsonState } from '../../storage/tree/builder.ts';
import type { BuiltTree } from '../../storage/tree/builder-state.ts';
import {
  beginComparison,
  compareStep,
  type Difference,
  isComparable,
  type Kept,
  type Subtree,
  subtreeOf,
  type TreeWalk,
} from '../../storage/tree/compare.ts';
import { blobNode, decodeEntry, encodeBlob } from '../../storage/tree/entry.ts';
import { allocateNodeId } from '../../storage/tree/stored-tree.ts';
import type { Database } from '../database/database.ts';
import type { ImportCounts, ImportSource, ImportSourceOptions, WritingMode } from './import.ts';

export interface CompareState {
  readonly kind: 'compare';
  /** The import whose effect is counted. */
  readonly previewOf: WritingMode;
  readonly json: StagedJsonState | null;
  /** A node whose keys are the children that a merge would remove; `null` while there are none. */
  readonly dropped: NodeId | null;
  /** Set once the source is complete. */
  readonly walk: TreeWalk | null;
}

const KEPT = {
  replace: 'nothing',
  merge: 'children',
  'deep-merge': 'everything',
} as const satisfies Record<WritingMode, Kept>;

/** Children compared in one step. */
const STEP_CHILDREN = 500;
const PRESENT = encodeBlob('true', 0, 4);

/** Builds an unlinked tree and counts the leaves that its import would add, change and remove. */
export class CompareSource implements ImportSource<CompareState> {
  readonly #options: ImportSourceOptions;
  readonly #previewOf: WritingMode;
  readonly #staged: StagedJson;
  #walk: TreeWalk | null;
  #dropped: NodeId | null;
  /** The keys that the bytes of this step drop. */
  #newlyDropped: Key[] = [];

  constructor(options: ImportSourceOptions, { previewOf, json, dropped, walk }: CompareState) {
    this.#options = options;
    this.#previewOf = previewOf;
    this.#dropped = dropped;
    const { path, timeMs } = options;
    const onDrop = (key: Key): void => void this.#newlyDropped.push(key);
    this.#staged = new StagedJson(
      { path, timeMs, ...(previewOf === 'merge' ? { onDrop } : {}) },
      json ?? undefined,
    );
    this.#walk = walk;
  }

  take(transaction: WriteTransaction, database: Database, bytes: Buffer, isLast: boolean): number {
    const taken = this.#staged.scan(database.tree(transaction).buildTarget(), bytes, isLast);
    const { tx } = transaction;
    for (const key of this.#newlyDropped) {
      this.#dropped ??= allocateNodeId(tx);
      tx.put('tree', childEntryKey(this.#dropped, key), PRESENT);
    }
    this.#newlyDropped = [];
    return taken;
  }

  finish(transaction: WriteTransaction, database: Database): boolean {
    const before = database.tree(transaction).sideAt(this.#options.path);
    this.#walk ??= this.#begin(before);
    if (!isComparable(transaction.tx, this.#walk, before))
      throw new RequestError(
        'import/conflict',
        'The stored data was replaced during the comparison. Compare again.',
      );
    this.#walk = compareStep(transaction.tx, this.#walk, STEP_CHILDREN);
    return this.#walk.open.length === 0;
  }

  #begin(before: Subtree): TreeWalk {
    const built = must(this.#staged.built, 'the source is complete');
    if (this.#previewOf === 'merge') requireMergeable(built);
    return beginComparison(before, builtSide(built), KEPT[this.#previewOf], this.#dropped);
  }

  get unreferenced(): readonly NodeId[] {
    const nodes = [...this.#staged.unreferenced];
    if (this.#dropped !== null) nodes.push(this.#dropped);
    return nodes;
  }

  get counts(): ImportCounts {
    return { ...this.#walk?.counts };
  }

  get differences(): readonly Difference[] {
    return this.#walk?.differences ?? [];
  }

  save(): CompareState {
    return {
      kind: 'compare',
      previewOf: this.#previewOf,
      json: this.#staged.save(),
      dropped: this.#dropped,
      walk: this.#walk,
    };
  }
}

/** Throws the errors of a merge for a source that is not an object of children. */
function requireMergeable(built: BuiltTree): void {
  const node = built.kind === 'blob' ? blobNode(built.entry) : null;
  if (node?.kind === 'leaf')
    throw new RequestError(
      'value/not-an-object',
      'A merge needs a JSON object: each of its children replaces the child of the same name.',
    );
  if ((built.kind === 'node' ? built : node)?.priority != null)
    throw new RequestError(
      'value/invalid',
      'A merge keeps the priority of the target path. Remove ".priority" from the object.',
    );
}

function builtSide(built: BuiltTree): Subtree {
  switch (built.kind) {
    case 'nothing':
      return { kind: 'absent' };
    case 'blob':
      return subtreeOf(decodeEntry(built.entry));
    case 'node':
      return built;
    default:
      return built satisfies never;
  }
}
