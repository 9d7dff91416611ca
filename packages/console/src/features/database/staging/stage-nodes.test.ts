import { keyArbitrary, nodesOf } from '@hearth/core/tree/node.arbitrary.ts';
import { isEqualNode, nodeAt, replaceAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinPath, type NodePath, pathOf } from '../model/node-path.ts';
import { nodeWithStaged } from './overlay.ts';
import { stageWrites } from './stage-nodes.ts';
import {
  dropPaths,
  MAX_STAGED,
  MAX_STAGED_LENGTH,
  parseTree,
  rebasePath,
  type StagedEdit,
  type StagedList,
  treesOf,
} from './store.ts';

type Tree = TreeNode | null;

/** Returns the text of a node, and a hash that differs for different nodes. */
const nodeTextOf = (node: Tree) => ({ text: exportJson(node), hash: exportJson(node) });

/** Stages a write at a path. */
function stage(list: StagedList, live: Tree, path: NodePath, after: Tree): StagedList {
  const before = nodeTextOf(nodeAt(live, parsePath(path)));
  const outcome = stageWrites(list, [{ path, before, after }], false);
  if (outcome.kind !== 'staged') throw new Error(outcome.kind);
  return outcome.list;
}

/** Applies staged edits as the server does: deletions first. */
function apply(list: StagedList, live: Tree): Tree {
  const isRemoval = (edit: StagedEdit): boolean => treesOf(edit).after === null;
  return [...list.filter(isRemoval), ...list.filter((edit) => !isRemoval(edit))].reduce(
    (tree, edit) => replaceAt(tree, parsePath(edit.path), treesOf(edit).after),
    live,
  );
}

const tree = (json: unknown): Tree => parseTree(JSON.stringify(json), '/');
const LIVE = tree({ a: { x: 1, y: 2 }, b: 'text', c: { d: { e: true } } });

/** Trees without priorities. A node loses its priority with its last child, so the result would depend on the order of edits. */
const plainTree = nodesOf(3, 4).map(withoutPriorities);

function withoutPriorities(node: TreeNode): TreeNode {
  if (node.kind === 'leaf') return { ...node, priority: null };
  const children = [...node.children].map(([key, child]) => [key, withoutPriorities(child)] as const);
  return { kind: 'inner', children: new Map(children), priority: null };
}

interface Edit {
  readonly path: NodePath;
  readonly after: Tree;
}

const editArbitrary: fc.Arbitrary<Edit> = fc.record({
  path: fc.array(fc.oneof(keyArbitrary, fc.constantFrom('a', 'b', 'n')), { maxLength: 3 }).map(pathOf),
  after: fc.option(plainTree, { nil: null }),
});

/** Returns whether a path is not below a value. Staging rejects paths below values. */
function fits(live: Tree, path: NodePath): boolean {
  const keys = parsePath(path);
  return keys.every((_, count) => nodeAt(live, keys.slice(0, count))?.kind !== 'leaf');
}

test('[C332] staged edits show the result of making the edits one by one, and applying them has the same result', () => {
  fc.assert(
    fc.property(
      fc.option(plainTree, { nil: null }),
      fc.array(editArbitrary, { maxLength: 8 }),
      (live, edits) => {
        let list: StagedList = [];
        let expected: Tree = live;
        for (const { path, after } of edits) {
          if (!fits(expected, path) || !fits(live, path)) continue;
          list = stage(list, live, path, after);
          expected = replaceAt(expected, parsePath(path), after);
        }
        expect(exportJson(nodeWithStaged('/', live, list))).toBe(exportJson(expected));
        expect(exportJson(apply(list, live))).toBe(exportJson(expected));
        // A node that is read alone looks the same as within the whole tree.
        for (const { path } of edits) {
          const shown = nodeWithStaged(path, nodeAt(live, parsePath(path)), list);
          if (fits(live, path)) expect(isEqualNode(shown, nodeAt(expected, parsePath(path)))).toBe(true);
        }
      },
    ),
  );
});

test('[C333] no staged path is below another, and each staged edit changes something', () => {
  fc.assert(
    fc.property(plainTree, fc.array(editArbitrary, { maxLength: 8 }), (live, edits) => {
      let list: StagedList = [];
      for (const { path, after } of edits) if (fits(live, path)) list = stage(list, live, path, after);
      for (const edit of list) {
        const { before, after } = treesOf(edit);
        expect(isEqualNode(before, after)).toBe(false);
        const around = list.filter(
          ({ path }) => edit.path !== path && `${edit.path}/`.startsWith(`${path}/`),
        );
        expect(around).toEqual([]);
      }
    }),
  );
});

test('[C333] an edit below a staged path becomes part of that edit, and an edit above it replaces it', () => {
  const inner = stage(stage([], LIVE, '/a/x', tree(7)), LIVE, '/n', tree({ k: 1 }));
  const folded = stage(inner, LIVE, '/n/k', tree(2));
  expect(folded.map(({ path, text }) => [path, text])).toEqual([
    ['/a/x', '7'],
    ['/n', '{"k":2}'],
  ]);
  expect(stage(folded, LIVE, '/a', null).map(({ path }) => path)).toEqual(['/n', '/a']);
  expect(stage(inner, LIVE, '/n', null).map(({ path }) => path)).toEqual(['/a/x']);
});

test('[C333] the two edits of a move are dropped together, also after a further move', () => {
  const before = (path: NodePath) => nodeTextOf(nodeAt(LIVE, parsePath(path)));
  const move = (list: StagedList, from: NodePath, to: NodePath): StagedList => {
    const after = nodeWithStaged(from, nodeAt(LIVE, parsePath(from)), list);
    const writes = [
      { path: from, before: before(from), after: null },
      { path: to, before: before(to), after },
    ];
    const outcome = stageWrites(list, writes, true);
    return outcome.kind === 'staged' ? outcome.list : [];
  };
  const moved = move(stage([], LIVE, '/b', tree('other')), '/a', '/m');
  expect(dropPaths(moved, new Set(['/m'])).map(({ path }) => path)).toEqual(['/b']);
  const again = move(moved, '/m', '/k');
  expect(again.map(({ path }) => path)).toEqual(['/b', '/a', '/k']);
  expect(dropPaths(again, new Set(['/a'])).map(({ path }) => path)).toEqual(['/b']);
  expect(move(again, '/k', '/a').map(({ path }) => path)).toEqual(['/b']);
});

test('[C334] an edit is not staged above an edit with a conflict, and resolving the conflict changes the base of that edit', () => {
  const list = stage([], LIVE, '/a/x', tree(7));
  const live = nodeTextOf(tree({ x: 'theirs', y: 2 }));
  expect(stageWrites(list, [{ path: '/a', before: live, after: null }], false)).toEqual({
    kind: 'outdated',
    path: '/a/x',
  });
  const [rebased] = rebasePath(list, '/a/x', nodeTextOf(tree('theirs')));
  expect(rebased?.before.text).toBe('"theirs"');
  expect(rebasePath(list, '/a/x', nodeTextOf(tree(7)))).toEqual([]);
});

test('[C336] more paths or more text than the maximum are not staged', () => {
  const one = (index: number) => ({ path: `/k${index}`, before: nodeTextOf(null), after: tree(index) });
  const most = Array.from({ length: MAX_STAGED }, (_, index) => one(index));
  const full = stageWrites([], most, false);
  expect(full.kind === 'staged' && full.list.length).toBe(MAX_STAGED);
  expect(full.kind === 'staged' && stageWrites(full.list, [one(MAX_STAGED)], false)).toEqual({
    kind: 'full',
  });
  // A further change of a staged path is allowed.
  expect(
    full.kind === 'staged' && stageWrites(full.list, [{ ...one(0), after: tree('x') }], false).kind,
  ).toBe('staged');
  const long = {
    path: joinPath('/', 'long'),
    before: nodeTextOf(null),
    after: tree('x'.repeat(MAX_STAGED_LENGTH)),
  };
  expect(stageWrites([], [long], false)).toEqual({ kind: 'full' });
});
