import type { CatalogEntry } from '../../tree/index-catalog.ts';
import type { StoredTree } from '../../tree/stored-tree.ts';
import type { DatabaseTree } from '../tree-view.ts';

/** Which indexes a tree may have that is built over several turns, as JSON. */
export interface DeclaredWhileStagingState {
  /** Those that were declared when building began. */
  readonly catalog: readonly CatalogEntry[];
  /** Others that were declared while some of it was built. */
  readonly later: readonly CatalogEntry[];
}

/** Remembers the indexes that were declared while a tree was built, also those that have gone again since. */
export class DeclaredWhileStaging {
  #state: DeclaredWhileStagingState;
  #noted: StoredTree['indexesAt'] | undefined;

  constructor(state: DeclaredWhileStagingState) {
    this.#state = state;
  }

  /** To be called before something is built. Costs a comparison while nothing has changed. */
  note(tree: DatabaseTree): void {
    const { indexesAt } = tree.buildTarget();
    if (indexesAt === this.#noted) return;
    this.#noted = indexesAt;
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
