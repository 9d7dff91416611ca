import { expect, test } from 'vitest';
import { memoryBooks } from '../../records/memory-records.fixture.ts';
import type { BookTurn, BookView } from '../../records/store.ts';
import type { CodePurpose } from './code.ts';
import { addCode, findCode, hasRoom, removeCodesOf } from './code-store.ts';

const DAY_MS = 86_400_000;

function openBook() {
  const books = memoryBooks();
  return {
    change: (body: (book: BookTurn) => void) => books.change((turn) => body(turn.book('accounts:demo'))),
    read: <T>(body: (book: BookView) => T) => books.read((view) => body(view.book('accounts:demo'))),
  };
}

/** Adds a code that works for a day. */
function add(book: BookTurn, code: string, purpose: CodePurpose, nowMs = 0): void {
  addCode(book, code, { purpose, expiresAtMs: nowMs + DAY_MS, wasMailed: true }, nowMs);
}

const account = { uid: 'ann', email: 'ann@example.com' };
const recovery = (email: string): CodePurpose => ({
  kind: 'RECOVER_EMAIL',
  uid: 'ann',
  email,
  newEmail: 'new@example.com',
  wasVerified: true,
});

test.each<CodePurpose>([
  { kind: 'PASSWORD_RESET', ...account },
  { kind: 'VERIFY_EMAIL', ...account },
  { kind: 'EMAIL_SIGNIN', email: 'ann@example.com' },
  { kind: 'VERIFY_AND_CHANGE_EMAIL', ...account, newEmail: 'new@example.com', validSinceSec: 7 },
  { kind: 'RECOVER_EMAIL', ...account, newEmail: 'new@example.com', wasVerified: true },
  { kind: 'REVERT_SECOND_FACTOR_ADDITION', ...account, enrollmentId: 'a' },
])('[I336] a code $kind comes back as it was kept', async (purpose) => {
  const { change, read } = openBook();
  await change((book) => add(book, 'c0de', purpose, 5));
  const stored = { purpose, sinceMs: 5, expiresAtMs: 5 + DAY_MS, wasMailed: true, mismatches: 0 };
  expect(read((book) => findCode(book, 'c0de'))).toMatchObject(stored);
});

test('[I338] codes that take different things back stand beside each other', async () => {
  const { change, read } = openBook();
  for (const [i, email] of ['a@example.com', 'b@example.com', 'a@example.com'].entries())
    await change((book) => add(book, `code ${i}`, recovery(email)));
  expect(read((book) => book.list(['codes'], { limit: 10 }))).toHaveLength(2);
});

test('[I356] codes are forgotten a day after they are over, some whenever one is added', async () => {
  const { change, read } = openBook();
  const signIn = (email: string): CodePurpose => ({ kind: 'EMAIL_SIGNIN', email });
  for (let i = 0; i < 12; i += 1) await change((book) => add(book, `c${i}`, signIn(`${i}@x.example`)));
  const left = () =>
    ['codes', 'codesOf', 'codesUntil'].map(
      (kind) => read((book) => book.list([kind], { limit: 100 })).length,
    );
  await change((book) => add(book, 'd', signIn('d@x.example'), 2 * DAY_MS));
  expect(left()).toEqual([13, 13, 13]);
  await change((book) => add(book, 'e', signIn('e@x.example'), 2 * DAY_MS + 1));
  expect(left()).toEqual([6, 6, 6]);
  await change((book) => add(book, 'f', signIn('f@x.example'), 2 * DAY_MS + 1));
  expect(left()).toEqual([3, 3, 3]);
});

test('[I357] an account has at most 100 codes, but those that clients ask for find room', async () => {
  const { change, read } = openBook();
  await change((book) => {
    for (let i = 0; i < 100; i += 1) add(book, `c${i}`, recovery(`${i}@example.com`));
  });
  expect(read((book) => hasRoom(book, recovery('more@example.com')))).toBe(false);
  expect(read((book) => hasRoom(book, { kind: 'PASSWORD_RESET', ...account }))).toBe(true);
  await change((book) => add(book, 'reset', { kind: 'PASSWORD_RESET', ...account }));
  await change((book) => removeCodesOf(book, 'ann'));
  expect(read((book) => book.list([], { limit: 10 }))).toEqual([]);
});
