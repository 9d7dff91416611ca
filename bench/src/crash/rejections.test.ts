import { expect, test } from 'vitest';
import { explainState, withoutRejected } from './history.ts';
import type { Operation } from './operation.ts';

const put = (path: string, text: string): Operation => ({
  action: 'p',
  body: null,
  effects: new Map([[path, text]]),
});
/** A change of a child, with the effect that it has if everything before it was executed. */
const patch = (path: string, children: { n: number }, text: string): Operation => ({
  ...put(path, text),
  action: 'm',
  changed: { path, children },
});

const before = new Map([['a', '{"n":1}']]);
const operations = [put('a', '{"n":2,"x":1}'), patch('a', { n: 3 }, '{"n":3,"x":1}')];

test('[L3] the effects of later requests do not contain those of a rejected one', () => {
  const kept = withoutRejected(before, operations, (index) => index === 0);
  expect(kept.map(({ effects }) => [...effects])).toEqual([[['a', '{"n":3}']]]);
  const history = { before, operations: kept, acknowledged: 1 };
  expect(explainState(history, new Map([['a', '{"n":3}']]), 1)).toEqual([]);
  expect(explainState(history, new Map([['a', '{"n":3,"x":1}']]), 1)).not.toEqual([]);
});

test('[L3] without rejected requests, the effects are those of all requests', () => {
  const kept = withoutRejected(before, operations, () => false);
  expect(kept.map(({ effects }) => [...effects])).toEqual(operations.map(({ effects }) => [...effects]));
});
