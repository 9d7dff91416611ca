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
])('[C221] %j and %j are different settings', (a, b) => {
  expect(isSame(a, b)).toBe(false);
});

test('[C221] a missing setting is undefined', () => {
  expect(valueAt({ signIn: { email: { enabled: true } } }, 'signIn.email.enabled')).toBe(true);
  expect(valueAt({}, 'signIn.email.enabled')).toBe(undefined);
});

test('[C222] a conflict is an edited setting that another user has changed to a different value', () => {
  const config = { a: 'theirs', b: 'mine', c: 'old' };
  const edits = {
    a: { before: 'old', after: 'mine' },
    b: { before: 'old', after: 'mine' },
    c: { before: 'old', after: 'mine' },
  };
  expect(findConflicts(config, edits)).toEqual([{ path: 'a', theirs: 'theirs' }]);
});

test('[C431] changes made or reverted while saving stay, based on the saved configuration', () => {
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

test('[C431] an edit is removed if the server has stored the typed value, or a normalized form of it', () => {
  const saved = { domain: { before: 'old', after: 'NEW' } };
  expect(editsSince(saved, saved, { domain: 'new' })).toEqual({});
  expect(editsSince({ domain: { before: 'old', after: 'new' } }, saved, { domain: 'new' })).toEqual({});
});
