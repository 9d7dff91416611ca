import { must } from '@hearth/core/error/assert.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { pathOf } from '@hearth/core/tree/path.ts';
import type { ExistingData } from '@hearth/core/tree/server-value.ts';
import type { NodeId } from '../../storage/kv/keys.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { StagedJson, type StagedJsonState } from '../../storage/tree/builder.ts';
import type { BuiltTree } from '../../storage/tree/builder-state.ts';
import { blobNode } from '../../storage/tree/entry.ts';
import type { CatalogEntry } from '../../storage/tree/index-catalog.ts';
import type { StoredTree } from '../../storage/tree/stored-tree.ts';
import type { StoredContext } from '../database/authorize.ts';
import type { Database } from '../database/database.ts';
import { executeLink } from '../database/linked-write.ts';
import type { DatabaseTree } from '../database/tree-view.ts';
import { executeWrite } from '../database/write.ts';
import type { ImportSource, ImportSourceOptions } from './import.ts';

/** The indexes that a tree built over several transactions may have, as JSON. */
export interface DeclaredWhileStagingState {
  /** The indexes declared when building began. */
  readonly catalog: readonly CatalogEntry[];
  /** Further indexes declared while part of the tree was built. */
  readonly later: readonly CatalogEntry[];
}

/** Tracks the indexes that were declared while a tree was built, including those removed since. */
export class DeclaredWhileStaging {
  #state: DeclaredWhileStagingState;
  #recorded: StoredTree['indexesAt'] | undefined;

  constructor(state: DeclaredWhileStagingState) {
    this.#state = state;
  }

  /**
   * Records newly declared indexes. The caller calls it before each building step. Costs one comparison while
   * nothing has changed.
   */
  record(tree: DatabaseTree): void {
    const { indexesAt } = tree.buildTarget();
    if (indexesAt === this.#recorded) return;
    this.#recorded = indexesAt;
    const { catalog, later } = this.#state;
    const known = new Set([...catalog, ...later].flatMap(({ indexes }) => indexes.map(({ id }) => id)));
    const added = tree.indexCatalog().flatMap(({ pattern, indexes }): readonly CatalogEntry[] => {
      const unknown = indexes.filter(({ id }) => !known.has(id));
      return unknown.length === 0 ? [] : [{ pattern, indexes: unknown }];
    });
    if (added.length > 0) this.#state = { catalog, later: [...later, ...added] };
  }

  save(): DeclaredWhileStagingState {
    return this.#state;
  }
}

export interface ReplaceState {
  readonly kind: 'replace';
  readonly indexes: DeclaredWhileStagingState;
  readonly json: StagedJsonState | null;
}

/** Builds an unlinked tree and puts it in place of the stored node when it is complete. */
export class ReplaceSource implements ImportSource<ReplaceState> {
  readonly counts = {};
  readonly #options: ImportSourceOptions;
  readonly #indexes: DeclaredWhileStaging;
  readonly #staged: StagedJson;
  #isLinked = false;

  constructor(options: ImportSourceOptions, state: ReplaceState) {
    this.#options = options;
    this.#indexes = new DeclaredWhileStaging(state.indexes);
    this.#staged = new StagedJson(options, state.json ?? undefined);
  }

  take(transaction: WriteTransaction, database: Database, bytes: Buffer, isLast: boolean): number {
    const tree = database.tree(transaction);
    this.#indexes.record(tree);
    return this.#staged.scan({ ...tree.buildTarget(), existing: this.#openExisting(tree) }, bytes, isLast);
  }

  /** Returns the tree that increments add to; `undefined` if they are rejected. */
  #openExisting(tree: DatabaseTree): ExistingData | undefined {
    const { onIncrement } = this.#options;
    if (onIncrement === undefined) return undefined;
    const report = <T>(found: T): T => {
      onIncrement();
      return found;
    };
    return {
      findValue: (path) => report(tree.findValue(pathOf(path))),
      findPriority: (path) => report(tree.findPriority(pathOf(path))),
    };
  }

  finish(transaction: WriteTransaction, database: Database): boolean {
    const { operation, identity, networkOf, areTriggersDisabled, expected } = this.#options;
    this.link(transaction, database, { operation, identity, networkOf, expected }, areTriggersDisabled);
    return true;
  }

  /** Writes the built node to its path. A small node is written like any other. */
  link(
    transaction: WriteTransaction,
    database: Database,
    context: StoredContext,
    areTriggersDisabled = false,
  ): void {
    const { path, timeMs: resolvedMs } = this.#options;
    const built = must(this.#staged.built, 'the source is complete');
    this.#options.recordWrites(transaction, database, [path], () => {
      if (built.kind === 'node')
        return [
          executeLink(transaction, database, {
            ...context,
            resolvedMs,
            targets: [{ path, built }],
            ...this.#indexes.save(),
          }),
        ];
      const node = builtNode(built);
      const writes = [{ kind: 'node', path, draft: { kind: 'resolved', node } }] as const;
      return [executeWrite(transaction, database, { ...context, resolvedMs, areTriggersDisabled, writes })];
    });
    this.#isLinked = true;
  }

  get unreferenced(): readonly NodeId[] {
    return this.#isLinked ? [] : this.#staged.unreferenced;
  }

  save(): ReplaceState {
    return { kind: 'replace', indexes: this.#indexes.save(), json: this.#staged.save() };
  }
}

/** Returns the built node. Small trees only. */
export function builtNode(built: Exclude<BuiltTree, { readonly kind: 'node' }>): TreeNode | null {
  return built.kind === 'blob' ? blobNode(built.entry) : null;
}
