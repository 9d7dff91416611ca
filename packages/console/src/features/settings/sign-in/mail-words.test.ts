import { expect, test } from 'vitest';
import { decodeWords, encodeWords } from './templates.tsx';

test.each([
  [{}],
  [{ subject: 'Hello' }],
  [{ senderName: 'Us', replyTo: 'us@example.com', body: { kind: 'text', text: 'Go to %LINK%' } }],
  [{ body: { kind: 'html', html: '<p>%LINK%</p>' } }],
])('[C225] the words %j are the same after they were filled in', (template) => {
  expect(encodeWords(decodeWords(template))).toEqual(template);
});

test('[C225] words that are emptied are the usual ones', () => {
  expect(encodeWords({ subject: ' ', senderName: '', replyTo: '', bodyKind: 'text', body: '' })).toEqual({});
});
