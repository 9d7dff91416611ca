import fc from 'fast-check';
import type { Key } from '../../tree/key.ts';
import { pathArbitrary, priorityArbitrary, treeArbitrary } from '../../tree/node.arbitrary.ts';
import type { TreeNode } from '../../tree/node.ts';
import { isAtOrAbove, type Path, pathOf } from '../../tree/path.ts';
import type { ProposedWrite } from './operation.ts';

/** Returns every path of a tree, including its root. */
export function pathsOf(node: TreeNode | null, at: Path = pathOf([])): readonly Path[] {
  if (node?.kind !== 'inner') return [at];
  return [at, ...[...node.children].flatMap(([key, child]) => pathsOf(child, below(at, key)))];
}

function below(path: Path, key: Key): Path {
  return pathOf([...path, key]);
}

/** Generates paths. Most of them are in the tree or end just below it. */
export function pathsNear(tree: TreeNode | null): fc.Arbitrary<Path> {
  const inside = fc.constantFrom(...pathsOf(tree));
  return fc.oneof(
    { weight: 4, arbitrary: inside },
    {
      weight: 2,
      arbitrary: fc.tuple(inside, pathArbitrary).map(([a, b]) => pathOf([...a, ...b.slice(0, 1)])),
    },
    { weight: 1, arbitrary: pathArbitrary },
  );
}

function writesAt(path: Path, nodes: fc.Arbitrary<TreeNode | null>): fc.Arbitrary<ProposedWrite> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant<ProposedWrite>({ kind: 'node', path, node: null }) },
    {
      weight: 2,
      arbitrary: nodes.map((node): ProposedWrite => ({ kind: 'node', path, node })),
    },
    {
      weight: 1,
      arbitrary: priorityArbitrary.map((priority): ProposedWrite => ({ kind: 'priority', path, priority })),
    },
  );
}

/** Returns the writes of one update. Keeps only the first of two conflicting writes. */
function disjoint(writes: readonly ProposedWrite[]): readonly ProposedWrite[] {
  const accepted: ProposedWrite[] = [];
  for (const write of writes) if (!accepted.some((other) => isConflict(write, other))) accepted.push(write);
  return accepted;
}

function isConflict(a: ProposedWrite, b: ProposedWrite): boolean {
  if (a.kind === 'node' && isAtOrAbove(a.path, b.path)) return true;
  if (b.kind === 'node' && isAtOrAbove(b.path, a.path)) return true;
  return a.kind === b.kind && a.path.length === b.path.length && isAtOrAbove(a.path, b.path);
}

/** Generates up to `maxCount` writes of one update, in any order. Most of them overlap with the tree. */
export function writesNear(tree: TreeNode | null, maxCount: number): fc.Arbitrary<readonly ProposedWrite[]> {
  return updatesOf(pathsNear(tree), treeArbitrary, maxCount);
}

/** Generates up to `maxCount` writes of one update, in any order, at the given paths. */
export function updatesOf(
  paths: fc.Arbitrary<Path>,
  nodes: fc.Arbitrary<TreeNode | null>,
  maxCount: number,
): fc.Arbitrary<readonly ProposedWrite[]> {
  const writes = paths.chain((path) => writesAt(path, nodes));
  return fc.array(writes, { minLength: 1, maxLength: maxCount }).map(disjoint);
}
