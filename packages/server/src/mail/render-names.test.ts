import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeDisplayName } from './render.ts';

test.each([
  ['Ada Lovelace', 'Ada Lovelace'],
  ['J. R. R. Tolkien', 'J. R. R. Tolkien'],
  ['J.R. Tolkien', 'J.R. Tolkien'],
  ['  Ada\r\n\tLovelace ', 'Ada Lovelace'],
  ['محمد', 'محمد'],
  ['Win a prize at https://evil.example/x now', 'Win a prize at now'],
  ['evil.example', undefined],
  ['www.evil', undefined],
  ['write to me@evil.example', 'write to'],
  ['see evil\u3002example or evil\uff0ecom', 'see or'],
  ['evil.\u200dcom', undefined],
  ['evil\u202e.com', undefined],
  ['a\u202egnp.', 'agnp.'],
  ['<b>Ada</b>', '<b>Ada</b>'],
  ['%LINK%', '%LINK%'],
  ['\u0000\u0007', undefined],
  ['', undefined],
  [undefined, undefined],
  ['x'.repeat(51), `${'x'.repeat(49)}…`],
  ['x'.repeat(50), 'x'.repeat(50)],
  ['👩'.repeat(60), `${'👩'.repeat(49)}…`],
])('[I131] the display name %j becomes %j', (displayName, name) => {
  expect(safeDisplayName(displayName)).toBe(name);
});

test('[I131] any display name becomes a short line without a link', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (displayName) => {
      const name = safeDisplayName(displayName) ?? '';
      expect([...name].length).toBeLessThanOrEqual(50);
      expect(name).not.toMatch(/[\r\n]|:\/\/|@/);
    }),
  );
});
