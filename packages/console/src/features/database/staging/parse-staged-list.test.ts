import { expect, test } from 'vitest';
import { MAX_STAGED, parseStagedList } from './store.ts';

const PLACE = { path: '/a', before: { text: '1', hash: 'h' }, text: '2', group: 1 };

test.each<readonly [string, readonly unknown[]]>([
  [JSON.stringify([PLACE]), [PLACE]],
  ['[', []],
  ['{}', []],
  [JSON.stringify([{ ...PLACE, text: '{' }, PLACE, { ...PLACE, before: null }, 5]), [PLACE]],
  [JSON.stringify([{ ...PLACE, path: '/a.b' }]), []],
  [JSON.stringify([PLACE, PLACE, { ...PLACE, path: '/a/b' }, { ...PLACE, path: '/' }]), [PLACE]],
  [JSON.stringify(['a', '/a/', '//a', ''].map((path) => ({ ...PLACE, path }))), []],
  [
    JSON.stringify([
      { ...PLACE, group: 0.5 },
      { ...PLACE, before: { text: '1', hash: '' } },
    ]),
    [],
  ],
  [JSON.stringify([{ ...PLACE, more: 1 }]), [PLACE]],
  ['['.repeat(100_000), []],
])('[C337][C347] of %.80s that a tab has kept, what is a staged edit is taken', (text, list) => {
  expect(parseStagedList(text)).toEqual(list);
});

test('[C347] what is more than may be staged is left out', () => {
  const paths = Array.from({ length: MAX_STAGED + 1 }, (_, index) => ({ ...PLACE, path: `/k${index}` }));
  expect(parseStagedList(JSON.stringify(paths))).toEqual(paths.slice(0, MAX_STAGED));
});
