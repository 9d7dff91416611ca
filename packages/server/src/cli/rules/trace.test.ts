import { expect, test } from 'vitest';
import { AnswerJson } from './database-client.ts';
import { parseStep, type ShownStep, type ShownValue } from './trace.ts';

test.each<ShownValue>([
  { kind: 'scalar', value: null },
  { kind: 'not-finite', text: '-Infinity' },
  { kind: 'object' },
  { kind: 'json', value: { uid: 'u1' } },
  { kind: 'snapshot', tree: 'after', path: '/a' },
  { kind: 'snapshot', tree: 'before', path: null },
  { kind: 'error', message: 'no number' },
  { kind: 'redacted', of: 'string', length: 5 },
  { kind: 'redacted', of: 'number', length: null },
  { kind: 'cut', of: 'json', start: '{"uid":"u', length: 2_000 },
])("[R242][R243] the step of a server's response is parsed without loss: %j", (value) => {
  const span = { start: 1, end: 3 };
  const step: ShownStep = { span, value, steps: [{ span, value, steps: [] }] };
  expect(parseStep(new AnswerJson(JSON.parse(JSON.stringify(step))))).toEqual(step);
});

test('[H292] an unknown kind of value is rejected', () => {
  const step = { span: { start: 1, end: 3 }, value: { kind: 'later' }, steps: [] };
  expect(() => parseStep(new AnswerJson(step))).toThrow('an unknown kind of value, "later"');
});
