import { expect, test } from 'vitest';
import { openAccountProject, openConsoleTestBed, person } from '../drivers/console/test-bed.ts';
import { ARABIC, DARK, PHONE } from '../drivers/console/visitor.ts';

const testBed = openConsoleTestBed();
const LONG = 'a-very-long-address-of-a-person-that-fills-the-row@department.example.com';

test.each([
  ['wide', {}],
  ['on a phone', PHONE],
  ['dark', DARK],
])('[C680] the list says whether accounts are disabled or unverified: %s', async (name, options) => {
  const id = `states-${name.replaceAll(' ', '-')}`;
  const { list } = await openAccountProject(testBed, id, [
    person(1, { email: LONG, disabled: true, emailVerified: false }),
    person(2, { emailVerified: true }),
    { localId: 'guest' },
  ]);
  const visitor = await testBed.visit(list, options);
  const { page } = visitor;
  const row = page.getByRole('row', { name: LONG });
  const disabled = row.getByText('Disabled');
  const unverified =
    options === PHONE
      ? row.getByRole('img', { name: 'Unverified email' })
      : row.getByText('Unverified email').filter({ visible: true });
  for (const state of [disabled, unverified]) {
    await state.waitFor();
    const box = await state.boundingBox();
    const cell = await row
      .getByRole('gridcell')
      .filter({ has: page.getByRole('link') })
      .boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual((cell?.x ?? 0) + (cell?.width ?? 0) + 1);
  }
  for (const other of ['person2@example.com', 'guest'])
    expect(await page.getByRole('row', { name: other }).getByText('Unverified email').count()).toBe(0);
  await visitor.expectAccessible();
  await visitor.picture(id);
});

test('[C680] the list in Arabic shows states, and cuts off a long address at its end', async () => {
  const { list } = await openAccountProject(testBed, 'states-arabic', [
    person(1, { email: LONG, emailVerified: false, disabled: true }),
  ]);
  const visitor = await testBed.visit(list, ARABIC);
  await visitor.page.getByText('البريد غير مؤكَّد').filter({ visible: true }).waitFor();
  await visitor.page.getByText('معطّل', { exact: true }).waitFor();
  const [first, box] = await visitor.page.getByRole('link', { name: LONG }).evaluate((link) => {
    const lefts = [link, link.parentElement ?? link].map((element) => element.getBoundingClientRect().left);
    return lefts as [number, number];
  });
  expect(first).toBeGreaterThanOrEqual(box);
  await visitor.picture('states-arabic');
});
