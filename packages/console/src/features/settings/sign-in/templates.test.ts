import { expect, test } from 'vitest';
import { decodeTemplate, encodeTemplate, withLineEndsOf } from './templates.tsx';

test.each([
  [{}],
  [{ subject: 'Hello' }],
  [{ senderName: 'Us', replyTo: 'us@example.com', body: { kind: 'text', text: 'Go to %LINK%' } }],
  [{ body: { kind: 'html', html: '<p>%LINK%</p>' } }],
])('[C225] the template %j stays the same after decoding and encoding', (template) => {
  expect(encodeTemplate(decodeTemplate(template))).toEqual(template);
});

test('[C225] empty fields are omitted, so that the email has the default text', () => {
  expect(encodeTemplate({ subject: ' ', senderName: '', replyTo: '', bodyKind: 'text', body: '' })).toEqual(
    {},
  );
});

test.each([
  ['a\r\nb', 'a\nb\nc', 'a\r\nb\r\nc'],
  ['a\r\nb', 'a\r\nb', 'a\r\nb'],
  ['a\nb', 'a\nb\nc', 'a\nb\nc'],
  ['', 'a\nb', 'a\nb'],
])('[C523] the text %j keeps its line ends when it is edited to %j', (before, typed, text) => {
  expect(withLineEndsOf(before, typed)).toBe(text);
});
