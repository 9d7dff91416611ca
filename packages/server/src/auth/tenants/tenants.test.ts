import { expect, test } from 'vitest';
import { randomBytes } from '../../platform/random.ts';
import { secretBox } from '../../platform/secret-box.ts';
import { secretKey } from '../../platform/secret-key.ts';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import { INSTALLATION } from '../../records/store.ts';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { parseTenantId } from './scope.ts';
import { createTestTenant } from './tenant.fixture.ts';
import { MAX_TENANTS } from './tenant-store.ts';
import { Tenants } from './tenants.ts';

const TENANTS = '/v2/projects/demo/tenants';
const OWNER = { authorization: 'Bearer owner' };

function send(client: AuthClient, method: string, path: string, body?: object) {
  return client.request(method, path, body === undefined ? undefined : JSON.stringify(body), OWNER);
}

test('[I1100] a new tenant has no sign-in method enabled, and its id starts with its name', async () => {
  const client = await AuthClient.open();
  const { json } = await client.admin(TENANTS, { displayName: 'Acme & Sons' });
  expect(json).toEqual({
    name: expect.stringMatching(/^projects\/demo\/tenants\/acme-sons-[a-z0-9]{8}$/),
    displayName: 'Acme & Sons',
    allowPasswordSignup: false,
    enableEmailLinkSignin: false,
    enableAnonymousUser: false,
    disableAuth: false,
    mfaConfig: { state: 'DISABLED', enabledProviders: [] },
  });
  expect((await send(client, 'GET', `/v2/${json['name']}`)).json).toEqual(json);
  expect((await client.admin(TENANTS)).json['name']).toMatch(/\/tenant-[a-z0-9]{8}$/);
});

test('[I1101] an update changes the members in its mask, and all members if it has no mask', async () => {
  const client = await AuthClient.open();
  const id = await createTestTenant(client, {
    displayName: 'Acme',
    allowPasswordSignup: true,
    testPhoneNumbers: { '+15555550100': '123456' },
  });
  const patch = (mask: string, body: object) =>
    send(client, 'PATCH', `${TENANTS}/${id}?updateMask=${mask}`, body);
  const totp = { state: 'ENABLED', totpProviderConfig: { adjacentIntervals: 3 } };
  const mask = 'mfaConfig.state,mfaConfig.providerConfigs,testPhoneNumbers,unknown.member';
  const update = {
    displayName: 'ignored',
    mfaConfig: { state: 'ENABLED', providerConfigs: [totp] },
    testPhoneNumbers: {},
  };
  expect((await patch(mask, update)).json).toMatchObject({
    displayName: 'Acme',
    allowPasswordSignup: true,
    mfaConfig: { state: 'ENABLED', enabledProviders: [], providerConfigs: [totp] },
    testPhoneNumbers: {},
  });
  const { json } = await patch('', { displayName: 'Acme 2' });
  expect(json).toMatchObject({ displayName: 'Acme 2', allowPasswordSignup: false });
  expect(json).not.toHaveProperty('testPhoneNumbers');
});

test.each([
  [{ displayName: '' }, /^INVALID_DISPLAY_NAME/],
  [{ displayName: 'x'.repeat(65) }, /^INVALID_DISPLAY_NAME/],
  [{ displayName: 'a\nb' }, /^INVALID_DISPLAY_NAME/],
  [{ allowPasswordSignup: 'yes' }, /^INVALID_CONFIG : allowPasswordSignup must be true or false/],
  [{ disableAuth: 1 }, /^INVALID_CONFIG : disableAuth/],
  [{ mfaConfig: { state: 'ON' } }, /^INVALID_CONFIG : mfaConfig.state/],
  [{ mfaConfig: 3 }, /^INVALID_CONFIG : mfaConfig must be an object/],
  [{ testPhoneNumbers: { '1': 'x' } }, /^INVALID_/],
  [{ inheritance: { emailSendingConfig: 'x'.repeat(40_000) } }, /^INVALID_CONFIG : A tenant has at most/],
])('[I1102] invalid settings of a tenant are rejected (%j)', async (body, error) => {
  const client = await AuthClient.open();
  expect((await client.admin(TENANTS, body)).error).toMatch(error);
});

test('[I1103] tenants are listed in pages of 20, or of 1 to 1,000', async () => {
  const client = await AuthClient.open();
  const made: string[] = [];
  for (let count = 0; count < 5; count += 1) made.push(await createTestTenant(client, {}));
  const list = async (query: string) => (await send(client, 'GET', `${TENANTS}?${query}`)).json;
  const idsOf = (json: Readonly<Record<string, unknown>>): readonly string[] =>
    Array.from(json['tenants'] as { name: string }[], ({ name }) => name.split('/').at(-1) ?? '');
  const first = await list('pageSize=3');
  const second = await list(`pageSize=3&pageToken=${first['nextPageToken']}`);
  expect([...idsOf(first), ...idsOf(second)]).toEqual(made.toSorted());
  expect(second).not.toHaveProperty('nextPageToken');
  for (const query of ['pageSize=0', 'pageSize=1001'])
    expect((await send(client, 'GET', `${TENANTS}?${query}`)).error).toMatch(/^INVALID_ARGUMENT/);
  expect((await send(client, 'GET', `${TENANTS}?pageToken=..`)).error).toBe('INVALID_PAGE_SELECTION');
});

test('[I1104] a deleted tenant does not exist any more', async () => {
  const client = await AuthClient.open();
  const id = await createTestTenant(client, {});
  expect((await send(client, 'DELETE', `${TENANTS}/${id}`)).json).toEqual({});
  for (const method of ['GET', 'DELETE', 'PATCH'])
    expect((await send(client, method, `${TENANTS}/${id}`, method === 'PATCH' ? {} : undefined)).error).toBe(
      'TENANT_NOT_FOUND',
    );
  expect((await send(client, 'GET', TENANTS)).json).toEqual({ tenants: [] });
});

test('[I1105] changes of tenants are recorded in the audit log', async () => {
  const client = await AuthClient.open();
  const id = await createTestTenant(client, {});
  await send(client, 'PATCH', `${TENANTS}/${id}?updateMask=disableAuth`, { disableAuth: true });
  await send(client, 'DELETE', `${TENANTS}/${id}`);
  expect(client.audited.map(({ event, detail }) => [event, detail])).toEqual([
    ['tenant_created', id],
    ['tenant_changed', `${id}, disableAuth`],
    ['tenant_deleted', id],
  ]);
});

test('[I1106] methods of the project itself reject requests that name a tenant', async () => {
  const client = await AuthClient.open();
  const id = await createTestTenant(client, {});
  for (const path of ['/v2/projects/demo/config', TENANTS])
    expect((await send(client, 'GET', `${path}?tenantId=${id}`)).error).toBe('UNSUPPORTED_TENANT_OPERATION');
  expect((await send(client, 'POST', `${TENANTS}/${id}:getIamPolicy`, {})).status).toBe(501);
});

test('[I1107] a project has at most 10,000 tenants', async () => {
  const recordStore = memoryRecordStore();
  const box = secretBox(secretKey(new Uint8Array(32)), randomBytes);
  const tenants = new Tenants({
    recordStore,
    randomBytes,
    clock: new TestClock(),
    secretBox: box,
    isDevelopment: false,
  });
  await recordStore.change((transaction) =>
    transaction.records(INSTALLATION).write(['tenantCount', 'demo'], MAX_TENANTS - 1),
  );
  const { id } = await tenants.create({ id: 'demo' }, {});
  await expect(tenants.create({ id: 'demo' }, {})).rejects.toThrow('QUOTA_EXCEEDED');
  await tenants.remove({ id: 'demo' }, id);
  await tenants.create({ id: 'demo' }, {});
});

test('[I1108] requests may name a tenant that was never created only in development mode', async () => {
  const recordStore = memoryRecordStore();
  const box = secretBox(secretKey(new Uint8Array(32)), randomBytes);
  const id = parseTenantId('acme');
  if (id === undefined) throw new Error('The id is valid.');
  for (const isDevelopment of [true, false]) {
    const tenants = new Tenants({
      recordStore,
      randomBytes,
      clock: new TestClock(),
      secretBox: box,
      isDevelopment,
    });
    expect(tenants.find({ id: 'demo' }, id) !== undefined).toBe(isDevelopment);
  }
});
