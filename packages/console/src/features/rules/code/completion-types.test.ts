import { expect, test } from 'vitest';
import { typeBeforeDot } from './completion.ts';

test.each([
  ['data.', 'snapshot'],
  ["auth != null && data.child('a').parent().", 'snapshot'],
  ['newData.val().', 'value'],
  ['(root).', 'snapshot'],
  ['auth.token.', 'auth'],
  ["auth.token['a'].", 'auth'],
  ["data.child(auth.uid + '/x').", 'snapshot'],
  ['$room.', 'string'],
  ["'text'.", 'string'],
  ['query.', 'query'],
  ['data.exists().', 'boolean'],
  ['unknown.', undefined],
  ['data', undefined],
  ["data.child('", undefined],
])('[C132] at the end of %s, the type before the dot is %s', (text, type) => {
  expect(typeBeforeDot(text, ['$room'])).toBe(type);
});
