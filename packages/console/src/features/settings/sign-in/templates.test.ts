import { expect, test } from 'vitest';
import { decodeTemplate, encodeTemplate } from './templates.tsx';

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
