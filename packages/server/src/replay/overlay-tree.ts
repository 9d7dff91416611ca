import { proposedView } from '@hearth/core/rules/merged-view.ts';
import type { RuleTree, RuleView } from '@hearth/core/rules/rule-view.ts';
import { compareKeys, type Key } from '@hearth/core/tree/key.ts';
import { nodeAt, type Priority } from '@hearth/core/tree/node.ts';
import type { IndexValue } from '@hearth/core/tree/order.ts';
import { isAtOrAbove, joinPaths, type Path, pathOf } from '@hearth/core/tree/path.ts';
import type { PlaceBefore } from './recorded-operation.ts';

/** A tree with what stood at some places before. */
export class OverlayTree implements RuleTree {
  readonly #tree: RuleTree;
  readonly #places: readonly PlaceBefore[];
  readonly #view: RuleView;

  constructor(tree: RuleTree, places: readonly PlaceBefore[]) {
    this.#tree = tree;
    this.#places = places;
    this.#view = proposedView(
      tree,
      places.map((place) => ({ kind: 'node', ...place })),
    );
  }

  findValue(path: Path): IndexValue {
    return this.#view.findValue(path);
  }

  findPriority(path: Path): Priority {
    return this.#view.findPriority(path);
  }

  firstKeys(path: Path, limit: number): readonly Key[] {
    const above = this.#places.find((place) => isAtOrAbove(place.path, path));
    if (above !== undefined) {
      const node = nodeAt(above.node, pathOf(path.slice(above.path.length)));
      return node?.kind === 'inner' ? node.children.keys().take(limit).toArray() : [];
    }
    const laid = this.#places.flatMap((place) =>
      isAtOrAbove(path, place.path) ? [place.path[path.length]] : [],
    );
    const keys = new Set(this.#tree.firstKeys(path, limit + laid.length));
    for (const key of laid) if (key !== undefined) keys.add(key);
    return [...keys]
      .filter((key) => this.findValue(joinPaths(path, [key])) !== null)
      .sort(compareKeys)
      .slice(0, limit);
  }
}
