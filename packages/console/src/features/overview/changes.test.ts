import { expect, test } from 'vitest';
import { findChange, latestChanges, uidsIn } from './changes.ts';
import { ENTRY, VERSION } from './overview.fixtures.ts';

test.each([
  ['member_changed', 'ann@example.com', 'ok', true],
  ['signing_keys_changed', 'server', 'ok', true],
  ['sign_in', 'app', 'ok', false],
  ['account_deleted', 'app', 'ok', false],
  ['account_updated', 'ann@example.com', 'EMAIL_EXISTS', false],
  ['admin_refused', 'unknown', 'auth/invalid', false],
  ['toString', 'server', 'ok', false],
])(
  '[C467] whether %s by %s with the result %s is an administrative change: %s',
  (event, actor, result, isChange) => {
    expect(findChange({ ...ENTRY, event, actor, result }) !== undefined).toBe(isChange);
  },
);

test('[C467] the five latest of the rules versions and audit events are returned, latest first', () => {
  const versions = [7, 4, 1].map((timeMs) => ({ ...VERSION, id: timeMs, timeMs }));
  const entries = [6, 5, 3, 2].map((timeMs) => ({ ...ENTRY, timeMs }));
  const changes = latestChanges([...versions, { ...VERSION, timeMs: null }], entries);
  expect(changes.map(({ kind, timeMs }) => `${kind} ${timeMs}`)).toEqual([
    'rules 7',
    'event 6',
    'event 5',
    'rules 4',
    'event 3',
  ]);
});

test('[C467] the user IDs in changes are those of rules authors and changed accounts', () => {
  const byFile = { ...VERSION, author: { kind: 'file', name: 'rules.json' } } as const;
  const changes = latestChanges([VERSION, byFile], [ENTRY, { ...ENTRY, uid: null }]);
  expect(uidsIn(changes)).toEqual(['u-ann', 'u-bob']);
});
