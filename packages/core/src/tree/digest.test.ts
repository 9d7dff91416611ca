/// <reference types="node" />
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashLeaf, hashNode, priorityText } from './digest.ts';
import { treeArbitrary } from './node.arbitrary.ts';
import { innerNode, leafNode, type TreeNode } from './node.ts';
import { exportJson, parseNodeJson } from './node-json.ts';

function sha1(text: string): string {
  return createHash('sha1').update(text, 'utf8').digest('base64');
}

/** Returns the text in angle brackets instead of its hash. */
function fakeSha1(text: string): string {
  return `<${text}>`;
}

function hashOf(text: string): string {
  return hashNode(parseNodeJson(text), sha1);
}

test.each([
  ['4', 'eVih19a6ZDz3NL32uVBtg9KSgQY='],
  ['4.5623', 'vf1CL0tIRwXXunHcG/irRECk3lY='],
  ['"hey guys"', 'CUNLXWpCVoJE6z7z1vE57lGaKAU='],
  ['true', 'E5z61QM0lN/U2WsOnusszCTkR8M='],
  ['false', 'aSSNoqcS4oQwJ2xxH20rvpp3zP0='],
  ['0', '7ysMph9WPitGP7poMnMHMVPtUlI='],
  ['""', 'Ki0Xy0V6morg0TO3Sxi/jwugYDQ='],
  ['"unicode ✔ 🐵 🌴 x͢"', 'JoKoFUnbmg3/DlY70KaDWslfYPk='],
])('[T40] the hash of %s is %s', (text, hash) => {
  expect(hashOf(text)).toBe(hash);
});

test.each([
  [
    '{"intNode":4,"doubleNode":4.5623,"stringNode":"hey guys","boolNode":true}',
    '6Mc4jFmNdrLVIlJJjz2/MakTK9I=',
  ],
  ['{"root":{"c":{".value":99,".priority":"abc"},".priority":"def"}}', 'Fm6tzN4CVEu5WxFDZUdTtqbTVaA='],
  ['{"root":{"c":{".value":99,".priority":42},".priority":3.14}}', 'B15QCqrzCxrI5zz1y00arWqFRFg='],
  ['{"a":{".value":1,".priority":2},"b":{".value":2,".priority":1}}', '/3lk7Vfl5OYG6Kw2SkiPXNeExPw='],
  ['{"1":"one","2":"two","10":"ten"}', 'aEa7HuRrp4CAiySog3hGyyeF8qc='],
])('[T41] the hash of %s is %s', (text, hash) => {
  expect(hashOf(text)).toBe(hash);
});

test.each([
  ['4', '<number:4010000000000000>'],
  ['1.5', '<number:3ff8000000000000>'],
  ['-0', '<number:0000000000000000>'],
  ['9007199254740993', '<number:4340000000000000>'],
  ['9223372036854775807', '<number:43e0000000000000>'],
  ['"a:b"', '<string:a:b>'],
  ['true', '<boolean:true>'],
  ['{".value":true,".priority":1.5}', '<priority:number:3ff8000000000000:boolean:true>'],
  ['{".value":1,".priority":"p:q"}', '<priority:string:p:q:number:3ff0000000000000>'],
])('[T40] the hashed text of %s is %s', (text, expected) => {
  expect(hashNode(parseNodeJson(text), fakeSha1)).toBe(expected);
});

test('[T40] the hash of a node is built from its priority text and the hashes of its children', () => {
  expect(hashLeaf(leafNode('x', 'p'), fakeSha1)).toBe('<priority:string:p:string:x>');
  expect(priorityText(null)).toBe('');
  expect(priorityText('p')).toBe('priority:string:p:');
  expect(priorityText(1.5)).toBe('priority:number:3ff8000000000000:');
});

test('[T41] children are hashed in the order of priorities, or in key order without priorities', () => {
  expect(hashNode(parseNodeJson('{"10":"x","9":"y","b":"z"}'), fakeSha1)).toBe(
    '<:9:<string:y>:10:<string:x>:b:<string:z>>',
  );
  const text =
    '{"a":{".value":"x",".priority":"p"},"b":{".value":"y",".priority":7},"c":"z",".priority":"q"}';
  expect(hashNode(parseNodeJson(text), fakeSha1)).toBe(
    '<priority:string:q::c:<string:z>:b:<priority:number:401c000000000000:string:y>:a:<priority:string:p:string:x>>',
  );
});

test('[T42] the hash of an absent node is the empty text', () => {
  expect(hashNode(null, sha1)).toBe('');
});

test('[T42] a tree that is built in another order or parsed from text has the same hash', () => {
  fc.assert(
    fc.property(treeArbitrary, (tree) => {
      const hash = hashNode(tree, sha1);
      expect(hashNode(rebuildReversed(tree), sha1)).toBe(hash);
      expect(hashNode(parseNodeJson(exportJson(tree)), sha1)).toBe(hash);
    }),
  );
});

/** Returns the same tree, built from its last child to its first. */
function rebuildReversed(node: TreeNode | null): TreeNode | null {
  if (node?.kind !== 'inner') return node;
  return innerNode(
    [...node.children].reverse().flatMap(([key, child]) => {
      const copy = rebuildReversed(child);
      return copy === null ? [] : [[key, copy] as const];
    }),
    node.priority,
  );
}
