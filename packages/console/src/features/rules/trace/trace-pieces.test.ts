import { expect, test } from 'vitest';
import type { Step, StepValue } from '../../../api/rules.ts';
import { stepsOf, tracePieces } from './trace-pieces.ts';

const SOURCE = "auth != null && data.child('a').hasChild(auth.uid)";
const FALSE: StepValue = { kind: 'scalar', value: false };
const TRUE: StepValue = { kind: 'scalar', value: true };
const AUTH: StepValue = { kind: 'json', value: { uid: 'bob' } };

function step(text: string, value: StepValue, steps: readonly Step[] = [], from = 0): Step {
  const start = SOURCE.indexOf(text, from);
  return { span: { start, end: start + text.length }, value, steps };
}

const CALL = "data.child('a').hasChild(auth.uid)";
const TRACE = step(SOURCE, FALSE, [
  step('auth != null', TRUE, [step('auth', AUTH)]),
  step(CALL, FALSE, [
    step("data.child('a')", { kind: 'snapshot', tree: 'before', path: '/a' }, [
      step('data', { kind: 'snapshot', tree: 'before', path: '/' }),
    ]),
    step('auth.uid', { kind: 'scalar', value: 'bob' }, [step('auth', AUTH, [], 20)]),
  ]),
]);

test('[C143] a rule is split into its relevant parts, and keeps its whole text', () => {
  const root = tracePieces(TRACE, SOURCE);
  expect(stepsOf(root).map(({ text }) => text)).toEqual([
    SOURCE,
    'auth != null',
    'auth',
    CALL,
    "data.child('a')",
    'auth.uid',
  ]);
  const textOf = (piece: typeof root): string =>
    piece.pieces.map((part) => (part.kind === 'text' ? part.text : textOf(part))).join('');
  expect(textOf(root)).toBe(SOURCE);
});
