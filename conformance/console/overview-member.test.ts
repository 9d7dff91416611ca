import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeMember, signInMember } from '../drivers/console/member.ts';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed({ command: 'serve', args: ['--public-url', 'http://127.0.0.1'] });
const PROJECT = 'party';
const DATABASE = `${PROJECT}-default-rtdb`;
/** Longer than the interval at which the overview loads its parts again. */
const REFRESH = { timeout: 60_000 };

test('[C465][C467] a member sees that no rules are published, later that rules are open, and who opened them', async () => {
  await testBed.admin('POST', '/api/projects', { id: PROJECT });
  await testBed.admin('PUT', `/rooms.json?ns=${DATABASE}`, { lobby: 'hello' });
  const editor = await makeMember(testBed, PROJECT, { role: 'editor', email: 'ann@example.com' });
  const visitor = await testBed.visit(`/projects/${PROJECT}`);
  const { page } = visitor;
  const requested = page.waitForRequest((request) => request.url().includes('/hot-paths'));
  await signInMember(page, editor);
  const { authorization = '' } = (await requested).headers();
  await page.getByRole('link', { name: 'No rules are published yet, so apps have no access.' }).waitFor();
  await visitor.expectAccessible();
  const source = '{"rules": {".read": true}}';
  const response = await fetch(`${testBed.server.url}/api/databases/${DATABASE}/rules/publish`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ source }),
  });
  expect(response.status).toBe(200);
  await page.getByRole('link', { name: 'Everyone can read all data.' }).waitFor(REFRESH);
  const change = page.getByRole('listitem').filter({ hasText: 'Rules version 1 published' });
  await change.getByText('ann@example.com').waitFor(REFRESH);
  await visitor.expectAccessible();
  await change.getByRole('link').press('Enter');
  await page.waitForURL(`**/rules/${DATABASE}/versions/1`);
  // The list of versions shows the address of the author.
  await page.getByRole('main').getByText('ann@example.com').first().waitFor();
});

test('[C716] an owner gets the project and its API key in the code for each kind of app, by keyboard, and curl signs a user in', async () => {
  await testBed.admin('POST', '/api/projects', { id: 'copies' });
  const owner = await makeMember(testBed, 'copies', { role: 'owner' });
  const user = await makeMember(testBed, 'copies', {});
  const { keys } = (await testBed.admin('GET', '/api/projects/copies/keys')) as {
    readonly keys: readonly { readonly apiKey: string }[];
  };
  const apiKey = keys[0]?.apiKey ?? '';
  expect(apiKey).not.toBe('');
  const visitor = await testBed.visit('/projects/copies');
  const { page } = visitor;
  await signInMember(page, owner);
  const code = page.getByRole('tabpanel').locator('pre');
  await page.getByRole('tab', { name: 'JavaScript' }).focus(REFRESH);
  for (const [name, steps] of [
    ['JavaScript', 0],
    ['Kotlin', 2],
    ['Swift', 1],
    ['REST', 1],
  ] as const) {
    for (let step = 0; step < steps; step++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await code.filter({ hasText: apiKey }).filter({ hasText: 'copies' }).waitFor(REFRESH);
    await page.getByRole('tab', { name, selected: true }).waitFor(REFRESH);
  }
  await visitor.expectAccessible();
  const request =
    ((await code.textContent()) ?? '').split('\n').find((line) => line.includes('accounts:')) ?? '';
  const command = request.replace('EMAIL', user.email).replace('PASSWORD', user.password);
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command]);
  expect(JSON.parse(stdout)).toMatchObject({ email: user.email, idToken: expect.any(String) });
});
