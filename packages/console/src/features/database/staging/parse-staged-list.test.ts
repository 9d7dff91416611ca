import { expect, test } from 'vitest';
import { MAX_STAGED, parseStagedList } from './store.ts';

const EDIT = { path: '/a', before: { text: '1', hash: 'h' }, text: '2', group: 1 };

test.each<readonly [string, readonly unknown[]]>([
  [JSON.stringify([EDIT]), [EDIT]],
  ['[', []],
  ['{}', []],
  [JSON.stringify([{ ...EDIT, text: '{' }, EDIT, { ...EDIT, before: null }, 5]), [EDIT]],
  [JSON.stringify([{ ...EDIT, path: '/a.b' }]), []],
  [JSON.stringify([EDIT, EDIT, { ...EDIT, path: '/a/b' }, { ...EDIT, path: '/' }]), [EDIT]],
  [JSON.stringify(['a', '/a/', '//a', ''].map((path) => ({ ...EDIT, path }))), []],
  [
    JSON.stringify([
      { ...EDIT, group: 0.5 },
      { ...EDIT, before: { text: '1', hash: '' } },
    ]),
    [],
  ],
  [JSON.stringify([{ ...EDIT, more: 1 }]), [EDIT]],
  ['['.repeat(100_000), []],
])('[C337][C347] of %.80s in the storage of a tab, only valid staged edits are restored', (text, list) => {
  expect(parseStagedList(text)).toEqual(list);
});

test('[C347] staged edits beyond the maximum are ignored', () => {
  const paths = Array.from({ length: MAX_STAGED + 1 }, (_, index) => ({ ...EDIT, path: `/k${index}` }));
  expect(parseStagedList(JSON.stringify(paths))).toEqual(paths.slice(0, MAX_STAGED));
});
