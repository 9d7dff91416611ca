import { expect, test } from 'vitest';
import { INSTALLATION } from '../../records/store.ts';
import { accountRecords } from '../accounts/account-store.ts';
import { AuthClient, claimsOf } from '../api/auth-client.fixture.ts';
import { listMails } from '../codes/mailed-codes.fixture.ts';
import { openFunctions, register } from '../hooks/functions.fixture.ts';
import { DatabaseOwners } from '../projects/database-owners.ts';
import { NEW_SETTINGS } from '../projects/project.ts';
import { AccountVerifier } from '../roles/credential-verifiers.ts';
import { findMember, saveMember } from '../roles/member-store.ts';
import { MemberVerifier } from '../roles/member-verifier.ts';
import { createIdpKey } from '../saml/identity-provider.fixture.ts';
import { findServiceKey } from '../saml/service-key.ts';
import { nameOfScope, parseTenantId, tenantScope } from './scope.ts';
import { createTestTenant, OPEN_TENANT } from './tenant.fixture.ts';

type Json = Readonly<Record<string, unknown>>;

const WHO = { email: 'ann@example.com', password: 'password' };
const OWNER = { authorization: 'Bearer owner' };

/** Starts a server whose project has a tenant. */
async function openTenant() {
  const client = await AuthClient.open();
  const tenantId = await createTestTenant(client, { ...OPEN_TENANT, displayName: 'Acme' });
  /** Creates an account of a tenant. */
  const signUp = async (tenant: string): Promise<Json> =>
    (await client.post('accounts:signUp', { ...WHO, tenantId: tenant })).json;
  return { client, tenantId, signUp };
}

test('[I1115] tokens and accounts of a tenant name it, and a token is enough to select it', async () => {
  const { client, tenantId, signUp } = await openTenant();
  const { idToken, refreshToken, localId } = await signUp(tenantId);
  expect(claimsOf(idToken)).toMatchObject({ aud: 'demo', firebase: { tenant: tenantId } });
  expect(await client.lookup(idToken)).toMatchObject({ localId, tenantId });
  const refreshed = (await client.refresh(refreshToken)).json;
  expect(claimsOf(refreshed['id_token'])).toMatchObject({ sub: localId, firebase: { tenant: tenantId } });
  const { json } = await client.admin(`/v1/projects/demo/tenants/${tenantId}:createSessionCookie`, {
    idToken,
  });
  expect(claimsOf(json['sessionCookie'])).toMatchObject({ firebase: { tenant: tenantId } });
  const project = await client.signUp();
  expect(claimsOf(project['idToken'])['firebase']).not.toHaveProperty('tenant');
  expect(await client.lookup(project['idToken'])).not.toHaveProperty('tenantId');
});

test('[I1114] a tenant decides which sign-in methods it has, and its project the rest', async () => {
  const { client, tenantId } = await openTenant();
  const closed = await createTestTenant(client, {});
  const post = (method: string, body: object) => client.post(method, { ...body, tenantId: closed });
  expect((await post('accounts:signUp', WHO)).error).toBe('OPERATION_NOT_ALLOWED');
  expect((await post('accounts:signUp', {})).error).toBe('ADMIN_ONLY_OPERATION');
  expect((await post('accounts:signInWithPassword', WHO)).error).toBe('PASSWORD_LOGIN_DISABLED');
  expect((await post('accounts:signInWithEmailLink', WHO)).error).toBe('OPERATION_NOT_ALLOWED');
  const strict = await createTestTenant(client, {
    ...OPEN_TENANT,
    client: { permissions: { disabledUserSignup: true } },
    emailPrivacyConfig: { enableImprovedEmailPrivacy: true },
    passwordPolicyConfig: {
      passwordPolicyEnforcementState: 'ENFORCE',
      passwordPolicyVersions: [{ customStrengthOptions: { minPasswordLength: 20 } }],
    },
  });
  expect((await client.post('accounts:signUp', { ...WHO, tenantId: strict })).error).toBe(
    'ADMIN_ONLY_OPERATION',
  );
  expect((await client.post('accounts:signInWithPassword', { ...WHO, tenantId: strict })).error).toBe(
    'INVALID_LOGIN_CREDENTIALS',
  );
  const policyOf = async (tenant: string) =>
    (await client.request('GET', `/v2/passwordPolicy?key=any&tenantId=${tenant}`)).json;
  expect(await policyOf(strict)).toMatchObject({ customStrengthOptions: { minPasswordLength: 20 } });
  expect(await policyOf(tenantId)).toMatchObject({ customStrengthOptions: { minPasswordLength: 6 } });
});

test('[I1116] users of a tenant cannot sign in by phone', async () => {
  const { client, tenantId } = await openTenant();
  for (const method of ['sendVerificationCode', 'signInWithPhoneNumber'])
    expect((await client.post(`accounts:${method}`, { tenantId, phoneNumber: '+15555550100' })).error).toBe(
      'UNSUPPORTED_TENANT_OPERATION',
    );
});

test('[I1117] a disabled tenant accepts no request, and other tenants do', async () => {
  const { client, tenantId, signUp } = await openTenant();
  const disabled = await createTestTenant(client, OPEN_TENANT);
  const { idToken, refreshToken } = await signUp(disabled);
  await client.request(
    'PATCH',
    `/v2/projects/demo/tenants/${disabled}?updateMask=disableAuth`,
    JSON.stringify({ disableAuth: true }),
    OWNER,
  );
  expect((await client.post('accounts:lookup', { idToken })).error).toBe('PROJECT_DISABLED');
  expect((await client.refresh(refreshToken)).error).toBe('PROJECT_DISABLED');
  expect((await client.post('accounts:signUp', { tenantId })).status).toBe(200);
});

test('[I1118] the sessions of a deleted tenant end immediately, and requests that name it are rejected', async () => {
  const { client, signUp } = await openTenant();
  const other = await createTestTenant(client, OPEN_TENANT);
  const { idToken, refreshToken } = await signUp(other);
  await client.request('DELETE', `/v2/projects/demo/tenants/${other}`, undefined, OWNER);
  expect((await client.post('accounts:lookup', { idToken })).error).toBe('USER_NOT_FOUND');
  expect((await client.refresh(refreshToken)).error).toBe('USER_NOT_FOUND');
  expect((await client.post('accounts:signUp', { ...WHO, tenantId: other })).error).toBe('INVALID_TENANT_ID');
  const { json } = await client.admin(`/v1/projects/demo/tenants/${other}/accounts:query`, {});
  expect(json).toMatchObject({ error: { message: 'TENANT_NOT_FOUND' } });
});

test('[I1119] a link in an email to a user of a tenant names the tenant', async () => {
  const { client, tenantId, signUp } = await openTenant();
  await signUp(tenantId);
  await client.post('accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email: WHO.email, tenantId });
  const links = listMails(client).map(({ text }) => /https?:\S+/.exec(text)?.[0] ?? '');
  expect(links.some((link) => URL.parse(link)?.searchParams.get('tenantId') === tenantId)).toBe(true);
});

test('[I1120] an import into a tenant accepts accounts of this tenant and accounts without one', async () => {
  const { client, tenantId } = await openTenant();
  const path = `/v1/projects/demo/tenants/${tenantId}/accounts:batchCreate`;
  const users = [{ localId: 'x' }, { localId: 'y', tenantId }, { localId: 'z', tenantId: 'other' }];
  const { json } = await client.admin(path, { users });
  expect(json['error']).toEqual([
    { index: 2, message: 'Tenant id in userInfo does not match the tenant id in request.' },
  ]);
});

test('[I1121] the console key selects no tenant', async () => {
  const { client } = await openTenant();
  await client.services.projects.create('shop', NEW_SETTINGS);
  const send = (body: object) =>
    client.request('POST', '/v1/accounts:signInWithPassword?key=console.shop', JSON.stringify(body));
  expect((await send({ ...WHO, tenantId: 'acme' })).error).toBe('INVALID_TENANT_ID');
});

test('[I1122] an account of a tenant has no rights of a member with the same uid', async () => {
  const { client, tenantId } = await openTenant();
  const { services } = client;
  await services.recordStore.change((transaction) =>
    saveMember(transaction.records(INSTALLATION), 'demo', { uid: 'boss', role: 'owner', addedAtMs: 1 }),
  );
  const users = `/v1/projects/demo/tenants/${tenantId}/accounts`;
  await client.admin(users, { localId: 'boss', ...WHO });
  const { json } = await client.post('accounts:signInWithPassword', { ...WHO, tenantId });
  const verifier = new MemberVerifier(services);
  const member = verifier.verify(`member.${json['idToken']}`);
  await expect(member).rejects.toMatchObject({ code: 'auth/unreadable' });
  // Administrators who do not own the project may not delete members.
  expect((await client.admin(`${users}:delete`, { localId: 'boss' })).status).toBe(200);
  const found = services.recordStore.read((view) => findMember(view.records(INSTALLATION), 'demo', 'boss'));
  expect(found).toMatchObject({ role: 'owner' });
});

test('[I1123] the databases of a project accept users of its tenants until they are deleted', async () => {
  const { client } = await openTenant();
  const { projects, recordStore } = client.services;
  await projects.create('club', NEW_SETTINGS);
  const path = '/v2/projects/club/tenants';
  const made = await client.admin(path, { ...OPEN_TENANT });
  const tenant = String(made.json['name']).split('/').at(-1);
  const keys = projects.keys('club');
  const { json } = await client.request(
    'POST',
    `/v1/accounts:signUp?key=${keys[0]?.apiKey}`,
    JSON.stringify({ ...WHO, password: 'correct horse battery', tenantId: tenant }),
  );
  const verifier = new AccountVerifier(client.services, new DatabaseOwners(recordStore));
  const verify = () =>
    verifier.verify({ token: String(json['idToken']) }, { kind: 'database', name: 'club-default-rtdb' });
  expect(await verify()).toMatchObject({
    auth: { uid: json['localId'], token: { firebase: { tenant } } },
  });
  await client.request('DELETE', `${path}/${tenant}`, undefined, OWNER);
  await expect(verify()).rejects.toMatchObject({ code: 'auth/expired' });
});

test('[I1125] requests that run while a tenant is deleted create no account in it', async () => {
  const { client, tenantId } = await openTenant();
  const scope = tenantScope('demo', parseTenantId(tenantId) ?? expect.fail());
  const accounts = `/v1/projects/demo/tenants/${tenantId}/accounts`;
  // The function is asked between the selection of the tenant and the transaction that stores the account.
  const { uri } = await openFunctions(async () => {
    await client.request('DELETE', `/v2/projects/demo/tenants/${tenantId}`, undefined, OWNER);
    return [200, {}];
  });
  await register(client, { beforeCreate: { functionUri: uri } });
  const answers = await Promise.all([
    client.post('accounts:signUp', { ...WHO, tenantId }),
    client.admin(accounts, { email: 'bob@example.com', password: 'correct-horse-battery' }),
    client.admin(`${accounts}:batchCreate`, { users: [{ localId: 'eve', rawPassword: 'correct-horse' }] }),
  ]);
  expect(answers[0].error).toMatch(/^(?:INVALID_TENANT_ID|TENANT_NOT_FOUND)/);
  expect((await client.post('accounts:signUp', { ...WHO, tenantId })).error).toBe('INVALID_TENANT_ID');
  const stored = client.services.recordStore.read((view) =>
    view.records(accountRecords(scope)).listKeys(['accounts'], { limit: 10 }),
  );
  expect(stored).toEqual([]);
});

test('[I1125] requests that run while a tenant is deleted store no provider, no key and no code in it', async () => {
  const { client, tenantId } = await openTenant();
  const scope = tenantScope('demo', parseTenantId(tenantId) ?? expect.fail());
  const tenant = `/v2/projects/demo/tenants/${tenantId}`;
  const { uri } = await openFunctions(async () => {
    await client.request('DELETE', tenant, undefined, OWNER);
    return [200, {}];
  });
  await register(client, { beforeSendEmail: { functionUri: uri } });
  const mail = { email: WHO.email, tenantId, continueUrl: 'http://localhost/', canHandleCodeInApp: true };
  const saml = {
    idpConfig: {
      idpEntityId: 'https://idp.example',
      ssoUrl: 'https://idp.example/sso',
      idpCertificates: [{ x509Certificate: createIdpKey().certificate }],
    },
    spConfig: { spEntityId: 'https://shop.example' },
  };
  const path = `${tenant}/inboundSamlConfigs?inboundSamlConfigId=saml.work`;
  // The server creates a key between the selection of the tenant and the transaction that stores the provider.
  const answers = await Promise.all([
    client.request('POST', path, JSON.stringify(saml), OWNER),
    client.post('accounts:sendOobCode', { ...mail, requestType: 'EMAIL_SIGNIN' }),
    client.post('accounts:sendOobCode', { ...mail, requestType: 'PASSWORD_RESET' }),
  ]);
  for (const { error } of answers) expect(error).toMatch(/^(?:INVALID_TENANT_ID|TENANT_NOT_FOUND)/);
  client.services.recordStore.read((view) => {
    const records = view.records(INSTALLATION);
    expect(findServiceKey(records, scope)).toBeUndefined();
    expect(records.listKeys(['providers', nameOfScope(scope)], { limit: 1 })).toEqual([]);
    expect(view.records(accountRecords(scope)).listKeys([], { limit: 10 })).toEqual([]);
  });
});
