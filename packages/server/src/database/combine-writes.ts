import { replaceAt, replacePriorityAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { formatPath, type Path, pathOf } from '@hearth/core/tree/path.ts';
import { nodeWrite, type ValueWrite } from '../log/commit.ts';

/** The writes of an update: removals, which were done already, and values and priorities, which were not. */
export interface UpdateWrites {
  readonly removals: readonly ValueWrite[];
  readonly others: readonly ValueWrite[];
}

/**
 * Makes one write of all that an update does at and below a node that it makes anew: one that it gives a priority and
 * children, or empties and fills again. Clients apply the places of an update in an order of their own, and would lose
 * a priority given to a node that has no children yet, or keep that of a node that is never empty in their order.
 *
 * `isAbsent` tells whether there is nothing at a path by now.
 */
export function combineWrites(update: UpdateWrites, isAbsent: (path: Path) => boolean): UpdateWrites {
  const priorities = update.others.filter(({ kind }) => kind === 'priority');
  if (update.removals.length + priorities.length === 0) return update;
  const filled = new FilledPlaces(update.others, isAbsent);
  const made = new Map<string, Path>();
  for (const { path } of priorities) if (filled.isMade(path)) made.set(formatPath(path), path);
  for (const { path } of update.removals) {
    const emptied = prefixesOf(path).find((above) => filled.isMade(above));
    if (emptied !== undefined) made.set(formatPath(emptied), emptied);
  }
  return made.size === 0 ? update : replaceMade(update, made);
}

/** Places that an update puts something below. */
class FilledPlaces {
  readonly #isAbsent: (path: Path) => boolean;
  /** By path text: whether the place is absent by now; `undefined` until that is asked. */
  readonly #places = new Map<string, boolean | undefined>();

  constructor(writes: readonly ValueWrite[], isAbsent: (path: Path) => boolean) {
    this.#isAbsent = isAbsent;
    for (const { kind, path } of writes)
      if (kind === 'node')
        for (const above of prefixesOf(path)) this.#places.set(formatPath(above), undefined);
  }

  /** Is there nothing at a place yet, and something to come below it? */
  isMade(path: Path): boolean {
    const text = formatPath(path);
    if (!this.#places.has(text)) return false;
    const isAbsent = this.#places.get(text) ?? this.#isAbsent(path);
    this.#places.set(text, isAbsent);
    return isAbsent;
  }
}

/** The places above a path, from the root down. */
function prefixesOf(path: Path): readonly Path[] {
  return path.map((_key, depth) => pathOf(path.slice(0, depth)));
}

/** The uppermost of the places take the place of all that is written at and below them. */
function replaceMade({ removals, others }: UpdateWrites, made: ReadonlyMap<string, Path>): UpdateWrites {
  const findMade = ({ path }: ValueWrite): Path | undefined =>
    [...prefixesOf(path), path]
      .map((place) => made.get(formatPath(place)))
      .find((place) => place !== undefined);
  const groups = Map.groupBy(others, findMade);
  const nodes: ValueWrite[] = [];
  for (const [place, writes] of groups)
    if (place !== undefined) nodes.push(nodeWrite(place, buildNode(place.length, writes)));
  return {
    removals: removals.filter((write) => findMade(write) === undefined),
    others: [...nodes, ...(groups.get(undefined) ?? [])],
  };
}

function buildNode(depth: number, writes: readonly ValueWrite[]): TreeNode | null {
  let node: TreeNode | null = null;
  for (const write of writes) {
    const relative = write.path.slice(depth);
    node =
      write.kind === 'node'
        ? replaceAt(node, relative, write.node)
        : replacePriorityAt(node, relative, write.priority);
  }
  return node;
}
