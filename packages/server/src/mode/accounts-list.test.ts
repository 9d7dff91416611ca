import { expect, test } from 'vitest';
import { openDevelopment } from './development.fixture.ts';

/** A project with accounts, and how to list them. */
async function openProject(users: readonly object[]) {
  const ask = await openDevelopment();
  if (users.length > 0) await ask('POST', '/v1/projects/demo/accounts:batchCreate', { users });
  return async (query: string) => {
    const { status, json } = await ask('GET', `/api/projects/demo/accounts?${query}`);
    const {
      accounts = [],
      next,
      looked,
    } = json as {
      readonly accounts?: readonly { readonly localId: string }[];
      readonly next?: unknown;
      readonly looked?: unknown;
    };
    return { status, uids: accounts.map(({ localId }) => localId), next, looked };
  };
}

const PEOPLE = [
  { localId: 'u1', email: 'bob@example.com', displayName: 'Bob Byron' },
  { localId: 'u2', email: 'ada@example.com', displayName: 'Ada Lovelace' },
  { localId: 'v1', phoneNumber: '+15551234567' },
  { localId: 'v2', email: 'adam@example.org' },
];

test.each<readonly [string, readonly string[], string | null]>([
  ['', ['u1', 'u2', 'v1', 'v2'], null],
  ['limit=3', ['u1', 'u2', 'v1'], 'v1'],
  ['limit=3&after=v1', ['v2'], null],
  ['prefix=v', ['v1', 'v2'], null],
  ['prefix=v&after=v1', ['v2'], null],
  ['by=email', ['u2', 'v2', 'u1'], null],
  ['by=email&prefix=ada', ['u2', 'v2'], null],
  ['by=email&prefix=ada&limit=1', ['u2'], 'ada@example.com'],
  ['by=email&prefix=ada&after=ada@example.com', ['v2'], null],
])('[H483] accounts with %j', async (query, uids, next) => {
  const list = await openProject(PEOPLE);
  expect(await list(query)).toMatchObject({ status: 200, uids, next });
});

test.each<readonly [string, readonly string[]]>([
  ['lovel', ['u2']],
  ['BYRON', ['u1']],
  ['555123', ['v1']],
  ['example.org', ['v2']],
  ['V', ['u2', 'v1', 'v2']],
  ['nobody', []],
])('[H484] accounts that have %j somewhere', async (text, uids) => {
  const list = await openProject(PEOPLE);
  expect(await list(`text=${encodeURIComponent(text)}`)).toMatchObject({ uids, next: null, looked: 4 });
});

test('[H484] a search goes on after the last account that was looked at', async () => {
  const list = await openProject(PEOPLE);
  expect(await list('text=v&limit=1')).toMatchObject({ uids: ['u2'], next: 'u2', looked: 2 });
  expect(await list('text=v&limit=1&after=u2')).toMatchObject({ uids: ['v1'], next: 'v1', looked: 1 });
});

test.each([
  'limit=0',
  'limit=201',
  'by=name',
  'text=',
  'prefix=',
  'text=a&prefix=b',
  'text=a&by=email',
  'sort=uid',
])('[H485] %s is refused', async (query) => {
  const list = await openProject([]);
  expect(await list(query)).toMatchObject({ status: 400 });
});
