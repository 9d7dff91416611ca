import { expect, test } from 'vitest';
import { randomBytes } from '../../platform/random.ts';
import { memoryBooks } from '../../records/memory-records.fixture.ts';
import { INSTALLATION } from '../../records/store.ts';
import { findMember, saveMember } from '../roles/member-store.ts';
import { issueOwnerLink } from '../roles/owner-setup.ts';
import { emptyAccount } from './account.ts';
import { accountsBook, saveAccount } from './account-store.ts';
import { eraseAccount } from './delete.ts';

test('[I575] with an account goes its membership, and after the last one there is an owner link again', async () => {
  const books = memoryBooks();
  const erase = (projectId: string) =>
    books.change((turn) => eraseAccount(turn, projectId, emptyAccount('ann', turn.nowMs)));
  const isMember = (projectId: string) =>
    books.read((view) => findMember(view.book(INSTALLATION), projectId, 'ann') !== undefined);
  await books.change((turn) => {
    for (const projectId of ['shop', 'club']) {
      saveAccount(turn.book(accountsBook(projectId)), undefined, emptyAccount('ann', turn.nowMs));
      saveMember(turn.book(INSTALLATION), projectId, { uid: 'ann', role: 'owner', addedAtMs: 5 });
    }
  });
  await erase('shop');
  expect([isMember('shop'), isMember('club')]).toEqual([false, true]);
  expect(await issueOwnerLink(books, randomBytes)).toBeUndefined();
  await erase('club');
  expect(await issueOwnerLink(books, randomBytes)).toEqual(expect.any(String));
});
