import { expect, test } from 'vitest';
import { applyPush } from './listener.ts';

test.each([
  ['/a/b', 1, { a: { b: 1, c: 2 }, d: 3 }],
  ['/a/c', null, { d: 3 }],
  ['/a', { x: { y: 1 } }, { a: { x: { y: 1 } }, d: 3 }],
  ['/d/e', true, { a: { c: 2 }, d: { e: true } }],
  ['', { z: 1 }, { z: 1 }],
  ['', null, {}],
])(
  '[L21] a push of %j = %j changes the data of a listener as it changes the tree',
  (path, value, expected) => {
    const tree = { a: { c: 2 }, d: 3 };
    applyPush(tree, path, value);
    expect(tree).toEqual(expected);
  },
);
