import { CompletionContext } from '@codemirror/autocomplete';
import { EditorState } from '@codemirror/state';
import { expect, test } from 'vitest';
import { completeRules, findContext } from './completion.ts';

test.each([
  ['{"rules": {"', { kind: 'name', from: 12, isQuoted: true, location: [] }],
  ['{"rules": {".re', { kind: 'name', from: 12, isQuoted: true, location: [] }],
  ['{"rules": {"a": {.re', { kind: 'name', from: 17, isQuoted: false, location: ['a'] }],
  [
    '{"rules": {"$a": {"$b": {".write": "$a == ',
    { kind: 'expression', rule: 'write', wildcards: ['$a', '$b'], text: '$a == ' },
  ],
  [
    '{"rules": {".read": "data.val() == \\"x\\" && ',
    { kind: 'expression', rule: 'read', wildcards: [], text: 'data.val() == "x" && ' },
  ],
  [
    '{"rules": {".read": true, ".validate": "n',
    { kind: 'expression', rule: 'validate', wildcards: [], text: 'n' },
  ],
  ['{"rules": {".indexOn": ["a', { kind: 'other' }],
  ['{"rules": { // ".read": "a', { kind: 'other' }],
  ['{"rules": { /* ".read": "a', { kind: 'other' }],
  ['{"rules": {".read": true ', { kind: 'other' }],
])('[C132] the context at the end of %s is found', (before, context) => {
  expect(findContext(before)).toEqual(context);
});

test.each(['"', '/*'])('[C152] an unclosed %s of 1 MB is read immediately', (start) => {
  expect(findContext(`{"rules": {${start}${'x*'.repeat(524_288)}`).kind).toBe(
    start === '"' ? 'name' : 'other',
  );
});

test.each([
  ['auth.', ['uid', 'token', 'provider']],
  ['auth.token.', ['email', 'email_verified', 'phone_number', 'name', 'sub', 'firebase']],
])('[C132] after %s only the members of that object are offered', (expression, members) => {
  const state = EditorState.create({ doc: `{"rules": {".read": "${expression}` });
  const completed = completeRules(new CompletionContext(state, state.doc.length, false));
  expect(completed?.options.map(({ label }) => label)).toEqual(members);
});

test('[C132] after a claim the methods of strings are offered', () => {
  const state = EditorState.create({ doc: '{"rules": {".read": "auth.token.email.' });
  const completed = completeRules(new CompletionContext(state, state.doc.length, false));
  expect(completed?.options.map(({ label }) => label)).toContain('contains');
});
