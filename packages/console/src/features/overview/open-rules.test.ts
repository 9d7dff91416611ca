import { expect, test } from 'vitest';
import { findOpenAccess } from './open-rules.ts';

test.each([
  ['{"rules": {".read": true, ".write": true}}', true, true],
  ['{"rules": {".read": "auth != null", ".write": "true"}}', false, true],
  ['// Everyone reads.\n{"rules": {".read": " (true) ", ".write": false}}', true, false],
  ['{"rules": {"public": {".read": true, ".write": true}}}', false, false],
  ['{"rules": {}}', false, false],
  ['{".read": true}', false, false],
  ['{"rules": ', false, false],
  ['[]', false, false],
])(
  '[C466] the rules %s let every client read everything: %s, write everything: %s',
  (source, reads, writes) => {
    expect(findOpenAccess(source)).toEqual({ isReadOpen: reads, isWriteOpen: writes });
  },
);
