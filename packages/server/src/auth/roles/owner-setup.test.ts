import { expect, test } from 'vitest';
import { randomBytes } from '../../platform/random.ts';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import { INSTALLATION } from '../../records/store.ts';
import { findMember, listMembers, saveMember } from './member-store.ts';
import { isOwnerToken, issueOwnerLink, useOwnerLink } from './owner-setup.ts';

const DAY_MS = 86_400_000;

test('[I449] a link works for 24 hours, once, and only unchanged', async () => {
  const clock = new TestClock();
  const recordStore = memoryRecordStore(clock);
  const token = (await issueOwnerLink(recordStore, randomBytes)) ?? '';
  const works = (text: string, nowMs: number): boolean =>
    recordStore.read((view) => isOwnerToken(view.records(INSTALLATION), text, nowMs));
  expect(works(token, clock.ms + DAY_MS - 1)).toBe(true);
  expect(works(token, clock.ms + DAY_MS)).toBe(false);
  expect(works('', clock.ms)).toBe(false);
  expect(works(`${token} `, clock.ms)).toBe(false);
  await recordStore.change((transaction) => useOwnerLink(transaction.records(INSTALLATION)));
  expect(works(token, clock.ms)).toBe(false);
});

test('[I448] no link works as soon as a member exists', async () => {
  const clock = new TestClock();
  const recordStore = memoryRecordStore(clock);
  const before = (await issueOwnerLink(recordStore, randomBytes)) ?? '';
  const ann = { uid: 'ann', role: 'owner', addedAtMs: 5 } as const;
  await recordStore.change((transaction) => saveMember(transaction.records(INSTALLATION), 'shop', ann));
  expect(await issueOwnerLink(recordStore, randomBytes)).toBeUndefined();
  recordStore.read((view) => {
    const records = view.records(INSTALLATION);
    expect(isOwnerToken(records, before, clock.ms)).toBe(false);
    expect(findMember(records, 'shop', 'ann')).toEqual(ann);
    expect(findMember(records, 'club', 'ann')).toBeUndefined();
    expect(listMembers(records, 'shop', undefined, 10)).toEqual([ann]);
    expect(listMembers(records, 'shop', 'ann', 10)).toEqual([]);
  });
});
