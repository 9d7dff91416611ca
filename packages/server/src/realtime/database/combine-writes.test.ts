import { nodeAt } from '@hearth/core/tree/node.ts';
import { parseNodeJson } from '@hearth/core/tree/node-json.ts';
import { parseWritePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { nodeWrite, priorityWrite, type ValueWrite, writePath } from '../../storage/log/commit.ts';
import { combineWrites } from './write.ts';

function parseWrite([text, json]: readonly [string, string]): ValueWrite {
  const { path, isPriority } = parseWritePath(text);
  return isPriority
    ? priorityWrite(path, JSON.parse(json) as number | string | null)
    : nodeWrite(path, parseNodeJson(json));
}

type Fields = Readonly<Record<string, string>>;

/** What is there once the removals are done, the writes of an update, and what becomes of them. */
test.each<readonly [string, string, Fields, Fields]>([
  [
    'a priority of a node made anew',
    'null',
    { 'a/b': '1', 'a/.priority': '5' },
    { a: '{"b":1,".priority":5}' },
  ],
  [
    'a priority below another node made anew',
    '{"z":1}',
    { 'a/b/c': '1', 'a/d': '2', 'a/b/.priority': '"p"' },
    { 'a/b': '{"c":1,".priority":"p"}', 'a/d': '2' },
  ],
  [
    'priorities at and below it',
    '{"z":1}',
    { 'a/b/c': '1', 'a/b/.priority': '"p"', 'a/.priority': '5' },
    { a: '{"b":{"c":1,".priority":"p"},".priority":5}' },
  ],
  ['a node emptied and filled', '{"z":1}', { 'a/x': 'null', 'a/b': '1' }, { a: '{"b":1}' }],
  [
    'a node emptied deep down',
    '{"z":1}',
    { 'a/x/y/z': 'null', 'a/x/q': '1', 'a/c': '2' },
    { a: '{"c":2,"x":{"q":1}}' },
  ],
  ['the root emptied and filled', 'null', { x: 'null', 'a/b': '1', y: '2' }, { '': '{"a":{"b":1},"y":2}' }],
  ['values alone', 'null', { 'a/b': '1', 'a/c': '2' }, { 'a/b': '1', 'a/c': '2' }],
  ['a removal elsewhere', '{"z":1}', { x: 'null', 'a/b': '1' }, { x: 'null', 'a/b': '1' }],
  ['a node emptied and left so', '{"z":1}', { 'x/y': 'null', 'a/b': '1' }, { 'x/y': 'null', 'a/b': '1' }],
  [
    'a node that was there',
    '{"a":{"z":1}}',
    { 'a/x': 'null', 'a/b': '1', 'a/.priority': '5' },
    { 'a/x': 'null', 'a/b': '1', 'a/.priority': '5' },
  ],
  [
    'a leaf that was there',
    '{"a":3}',
    { 'a/b': '1', 'a/.priority': '5' },
    { 'a/b': '1', 'a/.priority': '5' },
  ],
  [
    'another node beside it',
    '{"o":{"z":1}}',
    { 'o/x': 'null', 'a/b': '1', 'o/c': '3', 'a/.priority': '5', 'o/.priority': '6' },
    { 'o/x': 'null', a: '{"b":1,".priority":5}', 'o/c': '3', 'o/.priority': '6' },
  ],
  ['a priority of nothing', 'null', { 'a/.priority': '5' }, { 'a/.priority': '5' }],
])('[L56] %s', (_title, data, update, expected) => {
  const there = parseNodeJson(data);
  const writes = Object.entries(update).map(parseWrite);
  const isRemoval = (write: ValueWrite): boolean => write.kind === 'node' && write.node === null;
  const combined = combineWrites(
    { removals: writes.filter(isRemoval), others: writes.filter((write) => !isRemoval(write)) },
    (path) => nodeAt(there, path) === null,
  );
  const all = [...combined.removals, ...combined.others];
  expect(all.map((write) => [writePath(write), write.json])).toEqual(Object.entries(expected));
});
