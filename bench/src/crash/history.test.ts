import { expect, test } from 'vitest';
import { explainState, type History } from './history.ts';
import type { Operation } from './operation.ts';

type Rows = { readonly [path: string]: string };

function operation(rows: { readonly [path: string]: string | undefined }): Operation {
  return { action: 'm', body: null, effects: new Map(Object.entries(rows)) };
}

/** Writes a row, then a pair, then changes the pair and removes the row. The server acknowledged the first two. */
const history: History = {
  before: new Map([['old', 'kept']]),
  operations: [
    operation({ row: '1' }),
    operation({ left: '2', right: '2' }),
    operation({ left: '3', right: '3', row: undefined }),
  ],
  acknowledged: 2,
};

test.each<[string, Rows]>([
  ['exactly what was acknowledged', { old: 'kept', row: '1', left: '2', right: '2' }],
  ['more than was acknowledged', { old: 'kept', left: '3', right: '3' }],
])('[L10][L11] the crash check accepts %s', (_what, found) => {
  expect(explainState(history, new Map(Object.entries(found)), 1)).toEqual([]);
});

test.each<[string, string, Rows]>([
  ['[L10]', 'lost', { old: 'kept', row: '1' }],
  ['[L10]', 'lost', { row: '1', left: '2', right: '2' }],
  ['[L10]', 'lost', {}],
  ['[L11]', 'torn', { old: 'kept', row: '1', left: '3', right: '2' }],
  ['[L11]', 'torn', { old: 'kept', left: '2', right: '2' }],
  ['[L11]', 'torn', { old: 'kept', row: '1', left: '3', right: '3' }],
  ['[L11]', 'torn', { old: 'kept', row: 'half of it', left: '2', right: '2' }],
])('%s the crash check finds %s data: %j', (_rule, kind, found) => {
  expect(explainState(history, new Map(Object.entries(found)), 1).map((problem) => problem.kind)).toContain(
    kind,
  );
});

test('[L10] the crash check finds writes that took effect out of order', () => {
  const swapped: History = {
    before: new Map(),
    operations: [operation({ a: '1' }), operation({ b: '2' })],
    acknowledged: 0,
  };
  expect(explainState(swapped, new Map([['b', '2']]), 1).map((problem) => problem.kind)).toEqual([
    'unexplained',
  ]);
});
