import { spawn } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openConsoleTestBed } from '../drivers/console/test-bed.ts';

const testBed = openConsoleTestBed();
const DATABASE = 'demo-exported';

const RULES = `{
  "rules": {
    // each person
    "users": { "$uid": { ".read": "auth.uid === $uid", ".write": "auth.token.admin === true" } },
    "posts": { ".read": "query.limitToFirst <= 10", ".indexOn": "author" }
  }
}`;

const CASES = {
  data: { users: { ann: { name: 'Ann' } }, posts: { p1: { author: 'ann' } } },
  cases: [
    { name: 'own data', as: { uid: 'ann' }, read: '/users/ann', expect: 'allow' },
    { name: 'data of others', as: { uid: 'bob' }, read: '/users/ann', expect: 'deny' },
    { name: 'not signed in', as: null, read: '/users/ann', expect: 'deny' },
    {
      name: 'an administrator',
      as: { uid: 'eve', token: { admin: true } },
      update: '/users',
      value: { 'ann/name': 'Anna' },
      expect: 'allow',
    },
    {
      name: 'a limited query',
      as: null,
      read: '/posts',
      query: { orderByChild: 'author', equalTo: 'ann', limitToFirst: 5 },
      expect: 'allow',
    },
    // The console shows this case as failed, so the exported test must fail too.
    { name: 'a wrong expectation', as: null, read: '/users/ann', expect: 'allow' },
  ],
};

/** Runs a module with `node --test`, and returns its output. */
async function run(directory: string): Promise<string> {
  const { port } = new URL(testBed.server.url);
  const program = spawn(process.execPath, ['--test', '--test-reporter=tap', 'rules.test.mjs'], {
    cwd: directory,
    env: { PATH: process.env['PATH'], FIREBASE_DATABASE_EMULATOR_HOST: `127.0.0.1:${port}` },
  });
  let output = '';
  program.stdout.on('data', (data: Buffer) => {
    output += String(data);
  });
  program.stderr.on('data', (data: Buffer) => {
    output += String(data);
  });
  await new Promise((resolve) => program.on('close', resolve));
  return output;
}

test('[C920] exported test cases run with the official package, with the results of the console', async () => {
  await testBed.admin('POST', `/api/databases/${DATABASE}/rules/publish`, { source: RULES });
  const visitor = await testBed.visit(`/projects/demo/rules/${DATABASE}/cases`);
  const { page } = visitor;
  await page.getByRole('textbox', { name: 'Test case file' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(JSON.stringify(CASES));
  await page.getByRole('status').getByText('1 of 6').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as unit tests' }).press('Enter'),
  ]);
  expect(download.suggestedFilename()).toBe('rules.test.mjs');
  const directory = await mkdtemp(join(tmpdir(), 'hearth-exported-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await download.saveAs(join(directory, 'rules.test.mjs'));
  await symlink(join(import.meta.dirname, 'node_modules'), join(directory, 'node_modules'));
  const output = await run(directory);
  for (const { name } of CASES.cases.slice(0, -1))
    expect(output).toMatch(new RegExp(`^ok \\d+ - ${name}$`, 'm'));
  expect(output).toMatch(/^not ok 6 - a wrong expectation$/m);
});
