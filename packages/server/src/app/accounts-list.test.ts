import { expect, test } from 'vitest';
import { openDevelopment } from './development.fixture.ts';

interface Listed {
  readonly localId: string;
}

/** Creates a project with accounts. Returns functions that list and search them. */
async function openProject(users: readonly object[]) {
  const ask = await openDevelopment();
  if (users.length > 0) await ask('POST', '/v1/projects/demo/accounts:batchCreate', { users });
  return {
    ask,
    async list(query: string) {
      const { status, json } = await ask('GET', `/api/projects/demo/accounts?${query}`);
      const { accounts = [], next } = json as {
        readonly accounts?: readonly Listed[];
        readonly next?: unknown;
      };
      return { status, uids: accounts.map(({ localId }) => localId), next };
    },
    async search(query: string) {
      const { text } = await ask('GET', `/api/projects/demo/accounts/search?${query}`);
      const lines = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { readonly account: Listed });
      return { uids: lines.slice(0, -1).map(({ account }) => account.localId), end: lines.at(-1) };
    },
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
])('[H483] a list with %j has the accounts %j', async (query, uids, next) => {
  const { list } = await openProject(PEOPLE);
  expect(await list(query)).toMatchObject({ status: 200, uids, next });
});

test.each<readonly [string, readonly string[]]>([
  ['lovel', ['u2']],
  ['BYRON', ['u1']],
  ['555123', ['v1']],
  ['example.org', ['v2']],
  ['V', ['u2', 'v1', 'v2']],
  ['nobody', []],
])('[H484] a search for %j finds the accounts that contain it', async (text, uids) => {
  const { search } = await openProject(PEOPLE);
  expect(await search(`text=${encodeURIComponent(text)}`)).toEqual({
    uids,
    end: { kind: 'done', looked: 4, found: uids.length, isComplete: true },
  });
});

test.each<readonly [string, readonly string[]]>([
  ['provider=phone', ['v1']],
  ['by=email&prefix=ada&state=unverified', ['u2', 'v2']],
  ['seen=never&limit=4', ['u1', 'u2', 'v1', 'v2']],
  ['seenFrom=1', []],
  ['claim=admin', []],
  ['by=any&prefix=v&provider=phone', ['v1']],
  ['by=any&prefix=v&state=unverified', ['v2']],
])('[H951] a list filtered with %j has the accounts %j', async (query, uids) => {
  const { list } = await openProject(PEOPLE);
  expect(await list(query)).toMatchObject({ status: 200, uids, next: null });
});

test('[H951] a search returns only accounts that match the filter', async () => {
  const { search } = await openProject(PEOPLE);
  expect(await search('text=v&provider=phone')).toMatchObject({ uids: ['v1'], end: { found: 1, looked: 4 } });
});

test('[H951] the number of examined accounts is returned, and invalid filters are rejected', async () => {
  const { ask } = await openProject(PEOPLE);
  const at = '/api/projects/demo/accounts';
  expect((await ask('GET', `${at}?state=disabled`)).json).toEqual({ accounts: [], next: null, examined: 4 });
  for (const query of ['state=gone', 'seen=1', 'seen=never&seenFrom=1', 'seenTo=x', 'provider=', 'claim='])
    expect((await ask('GET', `${at}?${query}`)).status).toBe(400);
});

test('[H484] a search ends at its limit', async () => {
  const { search } = await openProject(PEOPLE);
  expect(await search('text=v&limit=2')).toEqual({
    uids: ['u2', 'v1'],
    end: { kind: 'done', looked: 3, found: 2, isComplete: false },
  });
});

test.each<readonly [string, readonly string[]]>([
  ['ADA', ['u2', 'v2']],
  ['ada@example.com', ['u2']],
  ['byr', ['u1']],
  ['+1 (555) 12', ['v1']],
  ['155', ['v1']],
  ['v', ['v1', 'v2']],
  ['u1', ['u1']],
  ['yron', []],
])('[I610] by=any finds accounts with a value that begins with %j', async (prefix, uids) => {
  const { list } = await openProject(PEOPLE);
  const found = await list(`by=any&prefix=${encodeURIComponent(prefix)}`);
  expect({ ...found, uids: found.uids.toSorted() }).toMatchObject({ status: 200, uids, next: null });
});

test.each<readonly [string, readonly string[]]>([
  ['12', ['12', '1200', '12000000000', '124', '12a']],
  ['120', ['1200', '12000000000']],
  ['2147483647', ['2147483647']],
  ['0', ['0', '001', '0012', '007', '00012000000000']],
  ['00', ['001', '0012', '007', '00012000000000']],
  ['0012', ['0012']],
])('[I610] by=any finds numeric user ids that begin with %j', async (prefix, uids) => {
  const zeros = ['001', '0012', '007', '00012000000000'];
  const all = ['0', '1', '12', '124', '13', '1200', '2147483647', '12000000000', '12a', 'x12', ...zeros];
  const { list } = await openProject(all.map((localId) => ({ localId })));
  expect((await list(`by=any&prefix=${prefix}`)).uids.toSorted()).toEqual(uids.toSorted());
});

test('[I610] by=any lists every account once, in pages that follow each other', async () => {
  const { list } = await openProject([
    ...PEOPLE,
    { localId: 'ada1', email: 'ada1@example.com', displayName: 'Ada Ada' },
    { localId: 'ada2', displayName: 'Ada Byron' },
    { localId: 'ada3' },
  ]);
  const uids: string[] = [];
  let after = '';
  for (;;) {
    const page = await list(`by=any&prefix=ada&limit=1${after}`);
    expect(page.status).toBe(200);
    uids.push(...page.uids);
    if (page.next === null) break;
    after = `&after=${encodeURIComponent(String(page.next))}`;
  }
  expect(uids).toEqual(['ada1', 'u2', 'v2', 'ada2', 'ada3']);
});

test('[I616] by=seen sorts sign-ins within one hour by time on each page, but not across pages', async () => {
  const { list } = await openProject(
    ['6000', '8000', '3600000', '7000'].map((lastLoginAt, index) => ({ localId: `u${index}`, lastLoginAt })),
  );
  expect(await list('by=seen')).toMatchObject({ uids: ['u2', 'u1', 'u3', 'u0'], next: null });
  const first = await list('by=seen&limit=2');
  expect(first.uids).toEqual(['u2', 'u3']);
  const rest = await list(`by=seen&limit=2&after=${encodeURIComponent(String(first.next))}`);
  expect(rest.uids).toEqual(['u1', 'u0']);
});

test('[I611] by=created and by=seen list the most recent accounts first, in pages', async () => {
  const times = ['2000', '4000', '1000', '3000'];
  const { list } = await openProject(
    PEOPLE.map((person, index) => ({
      ...person,
      createdAt: times[index],
      lastLoginAt: `${times[3 - index]}000`,
    })),
  );
  const first = await list('by=created&limit=3');
  expect(first.uids).toEqual(['u2', 'v2', 'u1']);
  const rest = await list(`by=created&limit=3&after=${encodeURIComponent(String(first.next))}`);
  expect(rest).toMatchObject({ uids: ['v1'], next: null });
  expect(await list('by=seen')).toMatchObject({ uids: ['v1', 'u1', 'v2', 'u2'] });
});

test.each(['', 'text=', 'text=a&limit=1001', 'text=a&after=b'])(
  '[H485] a search with %j is rejected',
  async (query) => {
    const { ask } = await openProject([]);
    expect(await ask('GET', `/api/projects/demo/accounts/search?${query}`)).toMatchObject({ status: 400 });
  },
);

test.each([
  'limit=0',
  'limit=201',
  'by=name',
  'prefix=',
  'text=a',
  'by=any',
  'by=any&prefix=a&after=b',
  'by=any&prefix=a&after=9:b',
  'by=seen&prefix=a',
  'sort=uid',
])('[H485] a list with %s is rejected', async (query) => {
  const { list } = await openProject([]);
  expect(await list(query)).toMatchObject({ status: 400 });
});
