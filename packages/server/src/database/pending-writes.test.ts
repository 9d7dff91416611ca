import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { parsePath, parseWritePath } from '@hearth/core/tree/path.ts';
import { describe, expect, test } from 'vitest';
import { parseSet } from './draft-write.ts';
import {
  decodePending,
  encodePending,
  forget,
  isNothingPending,
  NOTHING_PENDING,
  type PendingWrites,
  remember,
} from './pending-writes.ts';

/** `path = value`, or `cancel path`. */
function pendingOf(requests: readonly string[]): PendingWrites {
  return requests.reduce((pending, request) => {
    if (request.startsWith('cancel ')) return forget(pending, parsePath(request.slice(7)));
    const [path = '', json = ''] = request.split(' = ');
    return remember(pending, parseSet(parseWritePath(path), parseJsonText(json)));
  }, NOTHING_PENDING);
}

type Table = readonly (readonly [requests: readonly string[], remembered: string])[];

describe('asking', () => {
  test.each<Table[number]>([
    [['a = 1'], '[["a",1]]'],
    [['a = 1', 'b = 2'], '[["a",1],["b",2]]'],
    [['a = 1', 'a = 2'], '[["a",2]]'],
    [['a/b = 1', 'a/c = 2', 'a = 3'], '[["a",3]]'],
    [['a/b = 1', ' = null'], '[["",null]]'],
    [['a/.priority = 1', 'a = 2'], '[["a",2]]'],
    [['a/.priority = 1', 'a/.priority = 2'], '[["a/.priority",2]]'],
    [['a/.priority = 1', 'a/b = 2'], '[["a/b",2],["a/.priority",1]]'],
    [['.priority = "p"'], '[["/.priority","p"]]'],
    [
      ['a = {".sv":"timestamp"}', 'b/.priority = {".sv":{"increment":2}}'],
      '[["a",{".sv":"timestamp"}],["b/.priority",{".sv":{"increment":2}}]]',
    ],
    [['a = 9223372036854775807'], '[["a",9223372036854775807]]'],
  ])('[L40] %j are remembered as %s', (requests, remembered) => {
    expect(encodePending(pendingOf(requests))).toBe(remembered);
  });

  test.each<Table[number]>([
    [['a = {"b":1}', 'a/c = 2'], '[["a",{"b":1,"c":2}]]'],
    [['a = {"b":1}', 'a/b = null'], '[["a",null]]'],
    [['a = null', 'a/b/c = 1'], '[["a",{"b":{"c":1}}]]'],
    [['a = {".value":5,".priority":3}', 'a/b = 1'], '[["a",{"b":1,".priority":3}]]'],
    [
      ['a = {"b":1}', 'a/.priority = 7', 'a/b/.priority = 8'],
      '[["a",{"b":{".value":1,".priority":8},".priority":7}]]',
    ],
    [['a = null', 'a/.priority = 7'], '[["a",null]]'],
    [['a = {"b":1}', 'a/c/.priority = 7'], '[["a",{"b":1}]]'],
  ])('[L41] %j are remembered as %s', (requests, remembered) => {
    expect(encodePending(pendingOf(requests))).toBe(remembered);
  });
});

describe('cancelling', () => {
  test.each<Table[number]>([
    [['cancel a'], '[]'],
    [['a = 1', 'cancel a'], '[]'],
    [['a/b = 1', 'a/.priority = 1', 'cancel a'], '[]'],
    [['a/b = 1', 'a/c = 2', 'cancel a/b'], '[["a/c",2]]'],
    [['a/b = 1', 'a/.priority = 1', 'cancel a/b'], '[["a/.priority",1]]'],
    [['a = 1', 'cancel b', 'cancel a/b'], '[["a",1]]'],
    [['a = null', 'cancel a/b'], '[["a",null]]'],
    [['a = {"b":1,"c":2,".priority":3}', 'cancel a/b'], '[["a/c",2]]'],
    [['a = {"b":{"c":1,"d":2},"e":3}', 'cancel a/b/c'], '[["a/b/d",2],["a/e",3]]'],
    [['a = {"b":1}', 'cancel a/x'], '[["a/b",1]]'],
    [['a = {"b":1}', 'cancel a/b'], '[]'],
    // The published example.
    [
      ['x = {"parent":true,"child":"parent-child"}', 'x/child = "child"', 'cancel x/child'],
      '[["x/parent",true]]',
    ],
  ])('[L42] of %j remain %s', (requests, remembered) => {
    const pending = pendingOf(requests);
    expect(encodePending(pending)).toBe(remembered);
    expect(isNothingPending(pending)).toBe(remembered === '[]');
  });
});

test.each([
  '[["",1]]',
  '[["/.priority",null]]',
  '[["d",null],["a/b",{"c":1}],["a/.priority","p"]]',
  '[["a",{".value":-9007199254740993,".priority":{".sv":"timestamp"}}]]',
])('[L44] %s is read back as it was stored', (text) => {
  const entries = parseJsonText(text) as Parameters<typeof decodePending>[0];
  expect(encodePending(decodePending(entries))).toBe(text);
});
