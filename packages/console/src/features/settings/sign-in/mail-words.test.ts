import { expect, test } from 'vitest';
import { decodeWords, encodeWords } from './templates.tsx';

test.each([
  [{}],
  [{ subject: 'Hello' }],
  [{ senderName: 'Us', replyTo: 'us@example.com', body: { kind: 'text', text: 'Go to %LINK%' } }],
  [{ body: { kind: 'html', html: '<p>%LINK%</p>' } }],
])('[C225] the text %j stays the same after decoding and encoding', (template) => {
  expect(encodeWords(decodeWords(template))).toEqual(template);
});

test('[C225] empty fields use the default text', () => {
  expect(encodeWords({ subject: ' ', senderName: '', replyTo: '', bodyKind: 'text', body: '' })).toEqual({});
});
