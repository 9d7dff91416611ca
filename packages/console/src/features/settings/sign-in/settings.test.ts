import { expect, test } from 'vitest';
import { editsSince, findConflicts, isSame, valueAt } from './settings-form.ts';

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

test('[C431] what was changed or taken back since it was saved is left, from what the server has made of it', () => {
  const saved = {
    name: { before: 'old', after: 'New ' },
    domain: { before: 'old', after: 'new' },
    locale: { before: 'en', after: 'fr' },
  };
  const edits = {
    name: { before: 'old', after: 'Newer' },
    domain: { before: 'old', after: 'new' },
    reply: { before: undefined, after: 'x' },
  };
  expect(editsSince(edits, saved, { name: 'New', domain: 'new', locale: 'fr' })).toEqual({
    name: { before: 'New', after: 'Newer' },
    reply: { before: undefined, after: 'x' },
    locale: { before: 'fr', after: 'en' },
  });
});

test('[C431] nothing is left of what the server has made into what is wanted, or has put otherwise', () => {
  const saved = { domain: { before: 'old', after: 'NEW' } };
  expect(editsSince(saved, saved, { domain: 'new' })).toEqual({});
  expect(editsSince({ domain: { before: 'old', after: 'new' } }, saved, { domain: 'new' })).toEqual({});
});
