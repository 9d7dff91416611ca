import { beforeAll, expect, test } from 'vitest';
import { rowOf } from '../drivers/console/data-tree.ts';
import { makeMember, signInMember } from '../drivers/console/member.ts';
import { waitForWholePage } from '../drivers/console/page.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';

const PROJECT = 'hats';
const testBed = openConsoleTestBed({ command: 'serve', args: ['--public-url', 'http://127.0.0.1'] });

beforeAll(async () => {
  await testBed.admin('POST', '/api/projects', { id: PROJECT });
  const source = JSON.stringify({
    rules: { mine: { $uid: { '.read': 'auth.uid === $uid', '.write': true } } },
  });
  await testBed.admin('POST', `/api/databases/${PROJECT}/rules/publish`, { source });
});

test('[C358] a viewer sees what another user may read, and no button that changes data', async () => {
  const accounts = `/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts`;
  const made = await testBed.admin('POST', accounts, {
    email: 'ada@example.com',
    password: 'a long password',
  });
  const ada = String(Object(made).localId);
  const mine = { [ada]: { note: 'hers' }, bob: { note: 'his' } };
  await testBed.admin('PUT', `/mine.json?ns=${PROJECT}`, mine);
  const member = await makeMember(testBed, PROJECT, { role: 'viewer' });
  const as = `as=${encodeURIComponent(`account:${ada}`)}`;
  const view = `/projects/${PROJECT}/data/${PROJECT}/mine`;
  const visitor = await testBed.visit(`${view}?${as}`);
  const { page } = visitor;
  await signInMember(page, member);
  const bar = page.getByRole('region', { name: 'Viewing as' });
  await bar.getByText('ada@example.com').waitFor();
  await bar.getByText('Your role is read-only.').waitFor();
  await page.getByText('hers').waitFor();
  await rowOf(page, 'bob').getByText('no read access').waitFor();
  await waitForWholePage(page);
  const changing = page.getByRole('main').getByRole('button', { name: /^(?:Add|Import|Edit|Delete|Save)\b/ });
  expect(await changing.count()).toBe(0);
  await visitor.expectAccessible();
  // The rules also decide the results of filters, which the console reads through the SDK.
  await page.goto(`${testBed.server.url}/console${view}/${ada}?${as}&order=key&limit=5`);
  await page.getByText('1 matching child').waitFor();
  await page.goto(`${testBed.server.url}/console${view}/bob?${as}&order=key&limit=5`);
  await page.getByRole('button', { name: 'Why?' }).waitFor();
});
