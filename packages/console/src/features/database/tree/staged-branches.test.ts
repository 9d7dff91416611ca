import { nodeAt, type TreeNode } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import type { NodePath } from '../model/node-path.ts';
import { childRowOf, summaryOf } from '../staging/overlay.ts';
import { parseTree, type StagedList } from '../staging/store.ts';
import { applyPage, type Branch, openBranch } from './branch.ts';
import { overlayBranches } from './staged-branches.ts';

const LIVE = parseTree('{"a":{"x":1,"y":2},"b":"text","c":{"d":true},"z":9}', '/');

function branchOf(path: NodePath, node: TreeNode | null): Branch {
  const branch = openBranch(path);
  const children =
    node?.kind === 'inner' ? [...node.children].map(([key, child]) => childRowOf(key, child)) : [];
  const response = { node: node === null ? null : summaryOf(node), children, previous: null, next: null };
  return applyPage(branch, branch.pages[0]?.id ?? 0, response, 1);
}

function staged(...paths: readonly (readonly [path: NodePath, text: string])[]): StagedList {
  return paths.map(([path, text], group) => {
    const before = exportJson(nodeAt(LIVE, parsePath(path)));
    return { path, text, group, before: { text: before, hash: before } };
  });
}

/** Returns the rows of a node as they are shown: key, sign and value. */
function linesOf(path: NodePath, list: StagedList): readonly (readonly unknown[])[] {
  const live = branchOf(path, nodeAt(LIVE, parsePath(path)));
  const shown = overlayBranches(new Map([[path, live]]), list).get(path);
  return (shown?.pages ?? []).flatMap(({ rows }) =>
    (rows ?? []).map((row) => [row.key, row.staged?.sign, row.kind === 'object' ? row.preview : row.value]),
  );
}

test.each<readonly [string, NodePath, StagedList, readonly (readonly unknown[])[]]>([
  [
    'added, changed and removed children are in key order',
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
    'below a replaced node, unchanged children have no sign',
    '/a',
    staged(['/a', '{"w":0,"y":2,"x":3}']),
    [
      ['w', 'added', 0],
      ['x', 'changed', 3],
      ['y', undefined, 2],
    ],
  ],
  [
    'children of a removed node are shown as removed',
    '/a',
    staged(['/a', 'null']),
    [
      ['x', 'removed', 1],
      ['y', 'removed', 2],
    ],
  ],
  ['a staged new node has children', '/n/m', staged(['/n', '{"m":{"k":1}}']), [['k', 'added', 1]]],
  ['the parents of a staged new node exist', '/n', staged(['/n/m/k', '1']), [['m', 'added', '{"k":1}']]],
])('[C331] %s', (_name, path, list, lines) => {
  expect(linesOf(path, list)).toEqual(lines);
});

test('[C331] an added child is on the page that its key belongs to, and on no unread page', () => {
  const first = openBranch('/');
  const known = applyPage(
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

test('[C331] nodes without staged edits stay the same objects', () => {
  const branches = new Map([['/c', branchOf('/c', nodeAt(LIVE, parsePath('/c')))]]);
  expect(overlayBranches(branches, staged(['/a/x', '2'])).get('/c')).toBe(branches.get('/c'));
  expect(overlayBranches(branches, [])).toBe(branches);
});

function never(): never {
  throw new Error('Expected a tree.');
}
