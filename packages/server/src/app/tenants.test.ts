import { expect, test } from 'vitest';
import { type DevelopmentAnswer, openDevelopment } from './development.fixture.ts';

type Ask = Awaited<ReturnType<typeof openDevelopment>>;

async function createTenant(ask: Ask, displayName: string): Promise<string> {
  const { json } = await ask('POST', '/v2/projects/demo/tenants', { displayName, allowPasswordSignup: true });
  return String(json['name']).split('/').at(-1) ?? '';
}

function namesIn({ json }: DevelopmentAnswer): readonly string[] {
  return (json['tenants'] as readonly { readonly displayName: string }[]).map(
    ({ displayName }) => displayName,
  );
}

test('[I1127] the tenants of a project are listed in pages, and found by their ids and names', async () => {
  const ask = await openDevelopment();
  const [acme] = [await createTenant(ask, 'Acme Ltd'), await createTenant(ask, 'Bücher Nord')];
  const at = (query: string) => ask('GET', `/api/projects/demo/tenants?${query}`);
  const first = await at('limit=1');
  expect(first.json).toMatchObject({
    tenants: [
      {
        id: acme,
        displayName: 'Acme Ltd',
        isDisabled: false,
        createdAtMs: expect.any(Number),
        methods: ['password'],
      },
    ],
    next: acme,
    count: 2,
  });
  expect(namesIn(await at(`limit=1&after=${acme}`))).toEqual(['Bücher Nord']);
  expect(namesIn(await at(`text=${acme}`))).toEqual(['Acme Ltd']);
  expect(namesIn(await at('text=LTD'))).toEqual(['Acme Ltd']);
  expect(namesIn(await at('text=bucher'))).toEqual(['Bücher Nord']);
  expect(namesIn(await at('text=cher'))).toEqual([]);
});

test('[I1127] a changed name and a deleted tenant are no longer found', async () => {
  const ask = await openDevelopment();
  const id = await createTenant(ask, 'Acme');
  const find = async (text: string) => namesIn(await ask('GET', `/api/projects/demo/tenants?text=${text}`));
  await ask('PATCH', `/v2/projects/demo/tenants/${id}?updateMask=displayName`, { displayName: 'Zenith' });
  expect(await find('zen')).toEqual(['Zenith']);
  await ask('PATCH', `/v2/projects/demo/tenants/${id}?updateMask=displayName`, { displayName: 'Other' });
  expect(await find('zen')).toEqual([]);
  await ask('DELETE', `/v2/projects/demo/tenants/${id}`);
  expect(await find('other')).toEqual([]);
  expect((await ask('GET', '/api/projects/demo/tenants')).json).toEqual({
    tenants: [],
    next: null,
    count: 0,
  });
});

test.each(['text=', `text=${'x'.repeat(257)}`, 'text=a&after=b', 'after=.', 'limit=0', 'tenant=a'])(
  '[I1127] a list of tenants rejects %j',
  async (query) => {
    const ask = await openDevelopment();
    expect((await ask('GET', `/api/projects/demo/tenants?${query}`)).status).toBe(400);
  },
);

test('[I1128] the lists and searches of accounts concern one tenant, or the project without a tenant', async () => {
  const ask = await openDevelopment();
  const id = await createTenant(ask, 'Acme');
  await ask('POST', '/v1/projects/demo/accounts', { localId: 'outside' });
  await ask('POST', `/v1/projects/demo/tenants/${id}/accounts`, { localId: 'inside' });
  const lists = ['?by=uid', '?by=created', '?by=any&prefix=', '/search?text='];
  for (const list of lists)
    for (const [tenant, own, other] of [
      ['', 'outside', 'inside'],
      [`&tenant=${id}`, 'inside', 'outside'],
    ] as const) {
      const text = list.endsWith('=') ? 'side' : '';
      const start = list.includes('prefix') ? own.slice(0, 2) : text;
      const answer = await ask('GET', `/api/projects/demo/accounts${list}${start}${tenant}`);
      expect(answer.text).toContain(own);
      expect(answer.text).not.toContain(other);
    }
  for (const path of ['accounts', 'accounts/search', 'passkeys'])
    for (const unknown of ['.', `${id}/`]) {
      const query = `tenant=${encodeURIComponent(unknown)}${path.endsWith('search') ? '&text=x' : ''}`;
      expect((await ask('GET', `/api/projects/demo/${path}?${query}`)).status).toBe(400);
    }
  expect((await ask('GET', `/api/projects/demo/passkeys?tenant=${id}`)).json).toEqual({
    count: 0,
    isExact: true,
  });
  await ask('DELETE', `/v2/projects/demo/tenants/${id}`);
  expect((await ask('GET', `/api/projects/demo/accounts?tenant=${id}`)).status).toBe(400);
});

test('[I1128] a request of the console for a tenant, or for the project without a tenant, neither reads nor changes accounts of another scope', async () => {
  const ask = await openDevelopment();
  const [acme, other] = [await createTenant(ask, 'Acme'), await createTenant(ask, 'Other')];
  const places = [undefined, acme, other];
  const pathOf = (tenant: string | undefined) => (tenant === undefined ? '' : `/tenants/${tenant}`);
  for (const tenant of places)
    for (const name of ['one', 'two'])
      await ask('POST', `/v1/projects/demo${pathOf(tenant)}/accounts`, {
        localId: `${name}-of-${tenant ?? 'project'}`,
        email: `${name}@example.com`,
        emailVerified: true,
      });
  const at = '/api/projects/demo/accounts';
  for (const owner of places)
    for (const place of places) {
      const [one, two] = [`one-of-${owner ?? 'project'}`, `two-of-${owner ?? 'project'}`];
      const named = place === undefined ? '' : `&tenant=${place}`;
      const status = owner === place ? 200 : 404;
      const preview = await ask('GET', `${at}/merge?into=${one}&from=${two}${named}`);
      expect([owner, place, preview.status]).toEqual([owner, place, status]);
      const found = await ask('GET', `${at}/duplicates?uid=${one}${named}`);
      expect([owner, place, found.status]).toEqual([owner, place, status]);
      const own = await ask('GET', `${at}/merge?into=${one}&from=${two}${owner ? `&tenant=${owner}` : ''}`);
      const body = { into: one, from: two, expected: own.json['digest'], tenant: place };
      if (owner !== place) expect((await ask('POST', `${at}/merge`, body)).status).toBe(404);
    }
  // The digest of a file of one tenant is not accepted in another tenant that has accounts of the same names.
  const { json } = await ask('GET', `${at}?by=uid`);
  expect(JSON.stringify(json)).not.toContain(acme);
  for (const tenant of [acme, other]) {
    const listed = await ask('GET', `${at}?by=uid&tenant=${tenant}`);
    expect(JSON.stringify(listed.json['accounts']).match(/"localId"/g)).toHaveLength(2);
  }
});

test('[I1129] entries of the audit log name the tenant of the account, and are found by it', async () => {
  const ask = await openDevelopment();
  const id = await createTenant(ask, 'Acme');
  for (const scope of ['', `/tenants/${id}`])
    await ask('POST', `/v1/projects/demo${scope}/accounts`, { email: 'ann@example.com' });
  const read = async (query: string) => {
    const { json } = await ask('GET', `/api/projects/demo/audit?event=account_created${query}`);
    return (json['entries'] as readonly { readonly tenant?: string }[]).map(({ tenant }) => tenant);
  };
  expect(await read('')).toEqual([id, undefined]);
  expect(await read(`&tenant=${id}`)).toEqual([id]);
  expect(await read('&tenant=')).toEqual([undefined]);
  expect(await read('&tenant=other')).toEqual([]);
});
