import { expect, test } from 'vitest';
import { draftOf, parseDraft, printLeaf, readLeaf } from './leaf-value.ts';

test.each([
  ['"text"', 'text', null],
  ['9007199254740993', 9007199254740993n, null],
  ['{".value":true,".priority":5}', true, 5],
  ['null', null, null],
])('[C52] %s is read and printed with its value and priority', (text, value, priority) => {
  expect(readLeaf(text)).toEqual({ value, priority });
  expect(printLeaf(value, priority)).toBe(text);
});

test.each([
  [
    { kind: 'number', text: '1e3' },
    { kind: 'value', value: 1000 },
  ],
  [
    { kind: 'number', text: '9007199254740993' },
    { kind: 'value', value: 9007199254740993n },
  ],
  [
    { kind: 'number', text: 'x' },
    { kind: 'problem', problem: 'number' },
  ],
  [
    { kind: 'number', text: '' },
    { kind: 'problem', problem: 'number' },
  ],
  [
    { kind: 'string', text: '5' },
    { kind: 'value', value: '5' },
  ],
  [
    { kind: 'boolean', text: 'true' },
    { kind: 'value', value: true },
  ],
  [
    { kind: 'json', text: '{' },
    { kind: 'problem', problem: 'json' },
  ],
] as const)('[C52] the draft %j is parsed according to its type', (draft, parsed) => {
  expect(parseDraft(draft)).toEqual(parsed);
});

test('[C52] the draft of a value has the type of the value', () => {
  expect(draftOf('a')).toEqual({ kind: 'string', text: 'a' });
  expect(draftOf({ a: 1n })).toEqual({ kind: 'json', text: '{\n  "a": 1\n}' });
});
