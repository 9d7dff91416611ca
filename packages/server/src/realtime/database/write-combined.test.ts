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

/** A title, the data after the removals of an update, the writes of the update, and the combined writes. */
test.each<readonly [string, string, Fields, Fields]>([
  [
    'a new node with a priority is one write',
    'null',
    { 'a/b': '1', 'a/.priority': '5' },
    { a: '{"b":1,".priority":5}' },
  ],
  [
    'a new node with a priority below another new node is one write',
    '{"z":1}',
    { 'a/b/c': '1', 'a/d': '2', 'a/b/.priority': '"p"' },
    { 'a/b': '{"c":1,".priority":"p"}', 'a/d': '2' },
  ],
  [
    'priorities at and below a new node are one write with it',
    '{"z":1}',
    { 'a/b/c': '1', 'a/b/.priority': '"p"', 'a/.priority': '5' },
    { a: '{"b":{"c":1,".priority":"p"},".priority":5}' },
  ],
  [
    'a node that is emptied and filled is one write',
    '{"z":1}',
    { 'a/x': 'null', 'a/b': '1' },
    { a: '{"b":1}' },
  ],
  [
    'a node that is emptied at a deeper level and filled is one write',
    '{"z":1}',
    { 'a/x/y/z': 'null', 'a/x/q': '1', 'a/c': '2' },
    { a: '{"c":2,"x":{"q":1}}' },
  ],
  [
    'a root that is emptied and filled is one write',
    'null',
    { x: 'null', 'a/b': '1', y: '2' },
    { '': '{"a":{"b":1},"y":2}' },
  ],
  ['values without priorities stay separate', 'null', { 'a/b': '1', 'a/c': '2' }, { 'a/b': '1', 'a/c': '2' }],
  ['a removal elsewhere stays separate', '{"z":1}', { x: 'null', 'a/b': '1' }, { x: 'null', 'a/b': '1' }],
  [
    'a node that is emptied and not filled stays a removal',
    '{"z":1}',
    { 'x/y': 'null', 'a/b': '1' },
    { 'x/y': 'null', 'a/b': '1' },
  ],
  [
    'writes in an existing node stay separate',
    '{"a":{"z":1}}',
    { 'a/x': 'null', 'a/b': '1', 'a/.priority': '5' },
    { 'a/x': 'null', 'a/b': '1', 'a/.priority': '5' },
  ],
  [
    'writes below an existing leaf stay separate',
    '{"a":3}',
    { 'a/b': '1', 'a/.priority': '5' },
    { 'a/b': '1', 'a/.priority': '5' },
  ],
  [
    'a new node is combined, and an existing one next to it is not',
    '{"o":{"z":1}}',
    { 'o/x': 'null', 'a/b': '1', 'o/c': '3', 'a/.priority': '5', 'o/.priority': '6' },
    { 'o/x': 'null', a: '{"b":1,".priority":5}', 'o/c': '3', 'o/.priority': '6' },
  ],
  ['the priority of an absent node stays as it is', 'null', { 'a/.priority': '5' }, { 'a/.priority': '5' }],
])('[L56] %s', (_title, data, update, expected) => {
  const present = parseNodeJson(data);
  const writes = Object.entries(update).map(parseWrite);
  const isRemoval = (write: ValueWrite): boolean => write.kind === 'node' && write.node === null;
  const combined = combineWrites(
    { removals: writes.filter(isRemoval), others: writes.filter((write) => !isRemoval(write)) },
    (path) => nodeAt(present, path) === null,
  );
  const all = [...combined.removals, ...combined.others];
  expect(all.map((write) => [writePath(write), write.json])).toEqual(Object.entries(expected));
});
