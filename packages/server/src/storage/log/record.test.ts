import { parseKey } from '@hearth/core/tree/key.ts';
import { pathArbitrary, priorityArbitrary, treeArbitrary } from '@hearth/core/tree/node.arbitrary.ts';
import { innerNode, leafNode } from '@hearth/core/tree/node.ts';
import { parsePath, ROOT } from '@hearth/core/tree/path.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Author, type CommitWrite, nodeWrite, priorityWrite, seqOf } from './commit.ts';
import { decodeHead, decodeRecord, encodeCommit, encodeHead, encodeRecord } from './record.ts';

const ADMIN: Author = { kind: 'admin' };

test.each<readonly [string, Author, readonly CommitWrite[], string]>([
  ['a value at the root', ADMIN, [nodeWrite(ROOT, leafNode('x'))], '[7,{"kind":"admin"},[["","x"]]]'],
  [
    'a removal and a 64-bit integer, by a user',
    { kind: 'user', uid: 'u"1' },
    [nodeWrite(parsePath('a/b'), null), nodeWrite(parsePath('c'), leafNode(-9223372036854775808n))],
    '[7,{"kind":"user","uid":"u\\"1"},[["a/b",null],["c",-9223372036854775808]]]',
  ],
  [
    'priorities inside nodes and separate priorities',
    { kind: 'guest' },
    [
      nodeWrite(parsePath('a'), innerNode([[parseKey('b'), leafNode(1, 'p')]], 2)),
      priorityWrite(parsePath('c'), 'q'),
      priorityWrite(ROOT, 2 ** 53),
    ],
    '[7,{"kind":"guest"},[["a",{"b":{".value":1,".priority":"p"},".priority":2}],["c/.priority","q"],[".priority",9007199254740992]]]',
  ],
])('[L31] a commit with %s is encoded and decoded', (_name, author, writes, text) => {
  const commit = { timeMs: 7, author, writes };
  expect(encodeCommit(commit)).toBe(text);
  expect(decodeRecord('db', 5, encodeRecord([text, text]))).toEqual([
    { database: 'db', seq: seqOf(5), ...commit },
    { database: 'db', seq: seqOf(6), ...commit },
  ]);
});

test('[L85] an omitted value decodes as omitted, and records of version 1 can still be read', () => {
  const commit = { timeMs: 7, author: ADMIN, writes: [{ kind: 'linked', path: parsePath('a/b') } as const] };
  expect(encodeCommit(commit)).toBe('[7,{"kind":"admin"},[["a/b"]]]');
  expect(decodeRecord('db', 5, encodeRecord([encodeCommit(commit)]))).toEqual([
    { database: 'db', seq: seqOf(5), ...commit },
  ]);
  const first = decodeRecord('db', 5, Buffer.from('{"v":1,"c":[[7,{"kind":"admin"},[["a",null]]]]}'));
  expect(first[0]?.writes).toEqual([nodeWrite(parsePath('a'), null)]);
});

test('[L31] any encoded commit decodes to the same commit', () => {
  const write = fc.oneof(
    fc.tuple(pathArbitrary, treeArbitrary).map(([path, node]) => nodeWrite(path, node)),
    fc.tuple(pathArbitrary, priorityArbitrary).map(([path, priority]) => priorityWrite(path, priority)),
  );
  fc.assert(
    fc.property(fc.nat(), fc.array(write, { minLength: 1 }), (timeMs, writes) => {
      const commit = { timeMs, author: ADMIN, writes };
      const [decoded] = decodeRecord('db', 1, encodeRecord([encodeCommit(commit)]));
      expect(decoded?.writes).toEqual(writes);
    }),
  );
});

test('[L35] a record of a newer version is rejected', () => {
  expect(() => decodeRecord('db', 9, Buffer.from('{"v":3,"c":[]}'))).toThrow(
    'Commit 9 of db was written by a newer version.',
  );
});

test('[L31] the head of a log preserves large numbers', () => {
  const head = { seq: 2 ** 53 - 1, timeMs: 1_754_040_000_123, first: 2 ** 40, bytes: 3 };
  expect(encodeHead(head)).toHaveLength(32);
  expect(decodeHead(encodeHead(head))).toEqual(head);
});
