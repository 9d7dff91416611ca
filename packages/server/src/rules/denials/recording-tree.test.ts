import { ruleTreeContract, ruleViewContract } from '@hearth/core/rules/evaluate/values.contract.ts';
import { NodeTree } from '@hearth/core/rules/evaluate/views.ts';
import { parseKey } from '@hearth/core/tree/key.ts';
import type { TreeNode } from '@hearth/core/tree/node.ts';
import { parseNodeJson } from '@hearth/core/tree/node-json.ts';
import { joinPaths, type Path, pathOf } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { RecordedTree, RecordingTree, RecordingView } from './recording-tree.ts';

const ROOT = pathOf([]);

ruleViewContract('recording view', (tree, use) => use(new RecordingView(new NodeTree(tree))));
ruleTreeContract('recording', (tree, use) => use(new RecordingTree(new NodeTree(tree))));
ruleTreeContract('recorded', (tree, use) => {
  const recording = new RecordingTree(new NodeTree(tree));
  readAll(recording, tree, ROOT);
  use(new RecordedTree(recording.reads ?? []));
});

/** Reads a node and everything below it with every method that rules may use. */
function readAll(view: RecordingTree, node: TreeNode | null, path: Path): void {
  view.findValue(path);
  view.findPriority(path);
  if (node?.kind !== 'inner') return;
  view.firstKeys(path, node.children.size + 1);
  for (const [key, child] of node.children) readAll(view, child, joinPaths(path, [key]));
}

test('[R171] a recorded read is never reported as missing, and any other read is', () => {
  const recording = new RecordingTree(new NodeTree(parseNodeJson('{"a":{"b":1,"c":2}}')));
  const a = pathOf([parseKey('a')]);
  recording.findValue(a);
  recording.firstKeys(a, 1);
  const recorded = new RecordedTree(recording.reads ?? []);
  recorded.findValue(a);
  recorded.firstKeys(a, 1);
  expect(recorded.missing).toEqual([]);
  recorded.findPriority(a);
  expect(recorded.missing).toEqual(['/a']);
});

test('[R171] after more than 1,000 different reads, the view records none of them', () => {
  const view = new RecordingView(new NodeTree(null));
  for (let index = 0; index < 1_000; index += 1) view.findValue(pathOf([parseKey(`k${index}`)]));
  expect(view.reads).toHaveLength(1_000);
  view.findValue(pathOf([parseKey('k0')]));
  expect(view.reads).toHaveLength(1_000);
  view.findValue(pathOf([parseKey('one-more')]));
  expect(view.reads).toBeNull();
});
