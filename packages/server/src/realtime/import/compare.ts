import { must } from '@hearth/core/error/assert.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { NodeId } from '../../storage/kv/keys.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { StagedJson, type StagedJsonState } from '../../storage/tree/builder.ts';
import type { BuiltTree } from '../../storage/tree/builder-state.ts';
import {
  beginComparison,
  compareStep,
  isComparable,
  type Subtree,
  subtreeOf,
  type TreeWalk,
} from '../../storage/tree/compare.ts';
import { decodeEntry } from '../../storage/tree/entry.ts';
import type { Database } from '../database/database.ts';
import type { ImportCounts, ImportSource, ImportSourceOptions } from './import.ts';

export interface CompareState {
  readonly kind: 'compare';
  readonly json: StagedJsonState | null;
  /** Set once the source is complete. */
  readonly walk: TreeWalk | null;
}

/** Children compared in one step. */
const STEP_CHILDREN = 500;

/** Builds an unlinked tree and counts the leaves in which it differs from the stored tree. */
export class CompareSource implements ImportSource<CompareState> {
  readonly #options: ImportSourceOptions;
  readonly #staged: StagedJson;
  #walk: TreeWalk | null;

  constructor(options: ImportSourceOptions, { json, walk }: CompareState) {
    this.#options = options;
    this.#staged = new StagedJson(options, json ?? undefined);
    this.#walk = walk;
  }

  take(transaction: WriteTransaction, database: Database, bytes: Buffer, isLast: boolean): number {
    return this.#staged.scan(database.tree(transaction).buildTarget(), bytes, isLast);
  }

  finish(transaction: WriteTransaction, database: Database): boolean {
    const built = must(this.#staged.built, 'the source is complete');
    const before = database.tree(transaction).sideAt(this.#options.path);
    this.#walk ??= beginComparison(before, builtSide(built));
    if (!isComparable(transaction.tx, this.#walk, before))
      throw new RequestError(
        'import/conflict',
        'The stored data was replaced during the comparison. Compare again.',
      );
    this.#walk = compareStep(transaction.tx, this.#walk, STEP_CHILDREN);
    return this.#walk.open.length === 0;
  }

  get unreferenced(): readonly NodeId[] {
    return this.#staged.unreferenced;
  }

  get counts(): ImportCounts {
    return { ...this.#walk?.counts };
  }

  save(): CompareState {
    return { kind: 'compare', json: this.#staged.save(), walk: this.#walk };
  }
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
