import { expect, test } from 'vitest';
import { randomBytes } from '../../platform/random.ts';
import { memoryRecordStore } from '../../records/memory-records.fixture.ts';
import { INSTALLATION } from '../../records/store.ts';
import { findMember, saveMember } from '../roles/member-store.ts';
import { issueOwnerLink } from '../roles/owner-setup.ts';
import { projectScope } from '../tenants/scope.ts';
import { emptyAccount } from './account.ts';
import { accountRecords, saveAccount } from './account-store.ts';
import { eraseAccount } from './delete.ts';

test('[I575] deleting an account removes its membership, and without any member an owner link is issued again', async () => {
  const recordStore = memoryRecordStore();
  const erase = (projectId: string) =>
    recordStore.change((transaction) =>
      eraseAccount(transaction, projectScope(projectId), emptyAccount('ann', transaction.nowMs)),
    );
  const isMember = (projectId: string) =>
    recordStore.read((view) => findMember(view.records(INSTALLATION), projectId, 'ann') !== undefined);
  await recordStore.change((transaction) => {
    for (const projectId of ['shop', 'club']) {
      saveAccount(
        transaction.records(accountRecords(projectScope(projectId))),
        undefined,
        emptyAccount('ann', transaction.nowMs),
      );
      saveMember(transaction.records(INSTALLATION), projectId, { uid: 'ann', role: 'owner', addedAtMs: 5 });
    }
  });
  await erase('shop');
  expect([isMember('shop'), isMember('club')]).toEqual([false, true]);
  expect(await issueOwnerLink(recordStore, randomBytes)).toBeUndefined();
  await erase('club');
  expect(await issueOwnerLink(recordStore, randomBytes)).toEqual(expect.any(String));
});
