import { nodeAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import type { NodePath } from '../model/node-path.ts';
import { childRowOf, summaryOf } from '../staging/overlay.ts';
import { parseTree, type StagedList } from '../staging/store.ts';
import { type Branch, openBranch, positionAnswer } from './branch.ts';
import { overlayBranches } from './staged-branches.ts';

const LIVE = parseTree('{"a":{"x":1,"y":2},"b":"text","c":{"d":true},"z":9}', '/');

function branchOf(path: NodePath, node: TreeNode | null): Branch {
  const branch = openBranch(path);
  const children =
    node?.kind === 'inner' ? [...node.children].map(([key, child]) => childRowOf(key, child)) : [];
  const answer = { node: node === null ? null : summaryOf(node), children, previous: null, next: null };
  return positionAnswer(branch, branch.pages[0]?.id ?? 0, answer, 1);
}

function staged(...paths: readonly (readonly [path: NodePath, text: string])[]): StagedList {
  return paths.map(([path, text], group) => {
    const before = exportJson(nodeAt(LIVE, parsePath(path)));
    return { path, text, group, before: { text: before, hash: before } };
  });
}

/** Lines of a node as they are shown: key, sign and value. */
function linesOf(path: NodePath, list: StagedList): readonly (readonly unknown[])[] {
  const live = branchOf(path, nodeAt(LIVE, parsePath(path)));
  const shown = overlayBranches(new Map([[path, live]]), list).get(path);
  return (shown?.pages ?? []).flatMap(({ rows }) =>
    (rows ?? []).map((row) => [row.key, row.staged?.sign, row.kind === 'object' ? row.preview : row.value]),
  );
}

test.each<readonly [string, NodePath, StagedList, readonly (readonly unknown[])[]]>([
  [
    'children come, change and go in the order of keys',
    '/',
    staged(['/b', '5'], ['/bb', '"new"'], ['/z', 'null'], ['/a/x', '7']),
    [
      ['a', 'below', '{"x":7,"y":2}'],
      ['b', 'changed', 5],
      ['bb', 'added', 'new'],
      ['c', undefined, '{"d":true}'],
      ['z', 'removed', 9],
    ],
  ],
  [
    'below a node that is replaced, what is the same has no sign',
    '/a',
    staged(['/a', '{"w":0,"y":2,"x":3}']),
    [
      ['w', 'added', 0],
      ['x', 'changed', 3],
      ['y', undefined, 2],
    ],
  ],
  [
    'what is below a node that goes is shown as going',
    '/a',
    staged(['/a', 'null']),
    [
      ['x', 'removed', 1],
      ['y', 'removed', 2],
    ],
  ],
  ['a node that is not there yet has children', '/n/m', staged(['/n', '{"m":{"k":1}}']), [['k', 'added', 1]]],
  [
    'nodes on the way to one that comes are there',
    '/n',
    staged(['/n/m/k', '1']),
    [['m', 'added', '{"k":1}']],
  ],
])('[C331] %s', (_name, path, list, lines) => {
  expect(linesOf(path, list)).toEqual(lines);
});

test('[C331] a child that comes stands on the page that its key belongs to, and on none that is not read', () => {
  const first = openBranch('/');
  const known = positionAnswer(
    first,
    first.pages[0]?.id ?? 0,
    {
      node: summaryOf(LIVE ?? never()),
      children: [childRowOf('b', LIVE ?? never())],
      previous: null,
      next: 'm',
    },
    1,
  );
  const list = staged(['/aa', '1'], ['/q', '2']);
  const pages = overlayBranches(new Map([['/', known]]), list).get('/')?.pages ?? [];
  expect(pages.map(({ rows }) => rows?.map(({ key }) => key))).toEqual([['aa', 'b'], undefined]);
});

test('[C331] nodes in which nothing is staged stay what they are', () => {
  const branches = new Map([['/c', branchOf('/c', nodeAt(LIVE, parsePath('/c')))]]);
  expect(overlayBranches(branches, staged(['/a/x', '2'])).get('/c')).toBe(branches.get('/c'));
  expect(overlayBranches(branches, [])).toBe(branches);
});

function never(): never {
  throw new Error('There is a tree.');
}
