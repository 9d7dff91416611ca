import { expect, test } from 'vitest';
import { randomBytes } from '../../platform/random.ts';
import { memoryBooks, TestClock } from '../../records/memory-records.fixture.ts';
import { INSTALLATION } from '../../records/store.ts';
import { findMember, listMembers, saveMember } from './member-store.ts';
import { isOwnerToken, issueOwnerLink, useOwnerLink } from './owner-setup.ts';

const DAY_MS = 86_400_000;

test('[I449] a link works for a day, and only as it is', async () => {
  const clock = new TestClock();
  const books = memoryBooks(clock);
  const token = (await issueOwnerLink(books, randomBytes)) ?? '';
  const works = (text: string, nowMs: number): boolean =>
    books.read((view) => isOwnerToken(view.book(INSTALLATION), text, nowMs));
  expect(works(token, clock.ms + DAY_MS - 1)).toBe(true);
  expect(works(token, clock.ms + DAY_MS)).toBe(false);
  expect(works('', clock.ms)).toBe(false);
  expect(works(`${token} `, clock.ms)).toBe(false);
  await books.change((turn) => useOwnerLink(turn.book(INSTALLATION)));
  expect(works(token, clock.ms)).toBe(false);
});

test('[I448] a member ends the links', async () => {
  const clock = new TestClock();
  const books = memoryBooks(clock);
  const before = (await issueOwnerLink(books, randomBytes)) ?? '';
  const ann = { uid: 'ann', role: 'owner', addedAtMs: 5 } as const;
  await books.change((turn) => saveMember(turn.book(INSTALLATION), 'shop', ann));
  expect(await issueOwnerLink(books, randomBytes)).toBeUndefined();
  books.read((view) => {
    const book = view.book(INSTALLATION);
    expect(isOwnerToken(book, before, clock.ms)).toBe(false);
    expect(findMember(book, 'shop', 'ann')).toEqual(ann);
    expect(findMember(book, 'club', 'ann')).toBeUndefined();
    expect(listMembers(book, 'shop', undefined, 10)).toEqual([ann]);
    expect(listMembers(book, 'shop', 'ann', 10)).toEqual([]);
  });
});
