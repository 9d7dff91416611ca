import { expect, test } from 'vitest';
import { findConflicts, isSame, valueAt } from './settings.ts';

test.each([
  [undefined, ''],
  [undefined, {}],
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
  [[1], [1]],
])('[C221] %j and %j are the same setting', (a, b) => {
  expect(isSame(a, b)).toBe(true);
});

test.each([
  [true, false],
  [
    [1, 2],
    [2, 1],
  ],
  [undefined, false],
])('[C221] %j and %j are not', (a, b) => {
  expect(isSame(a, b)).toBe(false);
});

test('[C221] what is not there is nothing', () => {
  expect(valueAt({ signIn: { email: { enabled: true } } }, 'signIn.email.enabled')).toBe(true);
  expect(valueAt({}, 'signIn.email.enabled')).toBe(undefined);
});

test('[C222] a conflict is a change by somebody else to what is changed here, and to something else', () => {
  const config = { a: 'theirs', b: 'mine', c: 'old' };
  const edits = {
    a: { before: 'old', after: 'mine' },
    b: { before: 'old', after: 'mine' },
    c: { before: 'old', after: 'mine' },
  };
  expect(findConflicts(config, edits)).toEqual([{ path: 'a', theirs: 'theirs' }]);
});
