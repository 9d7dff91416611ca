import { expect, test } from 'vitest';
import { randomBytes } from '../../platform/random.ts';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import { INSTALLATION } from '../../records/store.ts';
import { emptyAccount } from '../accounts/account.ts';
import { accountRecords, saveAccount } from '../accounts/account-store.ts';
import { NEW_SETTINGS } from '../projects/project.ts';
import { Projects } from '../projects/projects.ts';
import { projectScope } from '../tenants/scope.ts';
import { MAX_MEMBERS, saveMember } from './member-store.ts';
import { Members } from './members.ts';

test('[H401] a project has at most 1,000 members', async () => {
  const recordStore = memoryRecordStore(new TestClock());
  const projects = new Projects({ recordStore, randomBytes, onDemand: null });
  await projects.create('shop', NEW_SETTINGS);
  const members = new Members({ recordStore, projects });
  await recordStore.change((transaction) => {
    const account = { ...emptyAccount('ann', 1), email: 'ann@example.com', isEmailVerified: true };
    saveAccount(transaction.records(accountRecords(projectScope('shop'))), undefined, account);
    for (let i = 0; i < MAX_MEMBERS; i++)
      saveMember(transaction.records(INSTALLATION), 'shop', { uid: `m${i}`, role: 'viewer', addedAtMs: 1 });
  });
  const add = () => members.add('shop', 'ann@example.com', 'viewer');
  await expect(add()).rejects.toMatchObject({ code: 'member/too-many' });
  await members.remove('shop', 'm0');
  expect(await add()).toMatchObject({ uid: 'ann', role: 'viewer' });
  expect(members.list('shop')).toHaveLength(1_000);
});
