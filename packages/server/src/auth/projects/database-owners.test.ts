import { expect, test } from 'vitest';
import { randomBytes } from '../../platform/random.ts';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import { DatabaseOwners, isNameOfProject } from './database-owners.ts';
import { NEW_SETTINGS } from './project.ts';
import { Projects } from './projects.ts';

test('[H407] a project has at most 100 databases', async () => {
  const recordStore = memoryRecordStore(new TestClock());
  for (const id of ['shop', 'club'])
    await new Projects({ recordStore, randomBytes, onDemand: null }).create(id, NEW_SETTINGS);
  const owners = new DatabaseOwners(recordStore);
  const present = owners.list('shop', '', 1_000).length;
  for (let i = present; i < 100; i++) expect(await owners.claim('shop', `shop-${i}`)).toBe(true);
  await expect(owners.claim('shop', 'shop-more')).rejects.toMatchObject({ code: 'namespace/too-many' });
  expect(await owners.claim('shop', 'shop-50')).toBe(false);
  expect(await owners.claim('club', 'club-more')).toBe(true);
});

test.each([
  ['shop', true],
  ['shop-default-rtdb', true],
  ['shop-eu', true],
  ['shop-eu-default-rtdb', false],
  ['shopping', false],
  ['shopping-default-rtdb', false],
  ['club', false],
  ['club-default-rtdb', false],
])('[H406] a project shop may have a database %s: %s', (name, isAllowed) => {
  expect(isNameOfProject(name, 'shop')).toBe(isAllowed);
});
