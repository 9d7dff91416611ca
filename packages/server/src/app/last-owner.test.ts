import { expect, test } from 'vitest';
import { makeProject, openShop, type SignedIn } from './members.fixture.ts';

const DATABASES = '/api/projects/shop/databases';

test.each([
  ['authorizedDomains', { authorizedDomains: ['evil.example'] }],
  ['notification.defaultLocale', { notification: { defaultLocale: 'de' } }],
  [
    'notification.sendEmail.callbackUri',
    { notification: { sendEmail: { callbackUri: 'https://x.example/' } } },
  ],
  ['signIn.email.enabled', { signIn: { email: { enabled: false } } }],
  ['signIn.email.passwordRequired', { signIn: { email: { passwordRequired: false } } }],
  [
    'passwordPolicyConfig',
    {
      passwordPolicyConfig: {
        passwordPolicyEnforcementState: 'ENFORCE',
        forceUpgradeOnSignin: true,
        passwordPolicyVersions: [{ customStrengthOptions: { minPasswordLength: 30 } }],
      },
    },
  ],
  ['mfa.state', { mfa: { state: 'MANDATORY' } }],
  ['signIn.phoneNumber.enabled', { signIn: { phoneNumber: { enabled: true } } }],
  ['smsRegionConfig', { smsRegionConfig: { allowlistOnly: { allowedRegions: ['KP'] } } }],
])('[I632][I635] only owners can change %s', async (mask, body) => {
  const { serving, owner, make } = await openShop();
  const editor = await make('editor');
  const patch = ({ memberToken: token }: SignedIn) =>
    serving.ask(`/v2/projects/shop/config?updateMask=${mask}`, { token, method: 'PATCH', body });
  expect(await patch(editor)).toMatchObject({
    status: 403,
    text: expect.stringContaining(`Only owners of the project can change ${mask}`),
  });
  expect((await patch(owner)).status).toBe(200);
  // The same value again is not a change.
  expect((await patch(editor)).status).toBe(200);
});

test('[H405] only owners may send test mails, at a limited rate', async () => {
  const { serving, owner, make } = await openShop();
  await makeProject(serving, 'club');
  const editor = await make('editor');
  const send = (token: string, project = 'shop') =>
    serving.ask(`/api/projects/${project}/mail/test`, { token, body: { to: 'ann@example.com' } });
  expect(await send(editor.memberToken)).toMatchObject({ status: 403, json: { code: 'auth/role' } });
  for (let i = 0; i < 20; i++) expect((await send(owner.memberToken)).status).toBe(200);
  expect(await send(owner.memberToken)).toMatchObject({ json: { code: 'TOO_MANY_ATTEMPTS_TRY_LATER' } });
  expect((await send(serving.token, 'club')).status).toBe(200);
});

test('[H406] database names of a project begin with its id, but the administrator of the server may choose any name', async () => {
  const { serving, owner } = await openShop();
  const make = (name: string, token = owner.memberToken) => serving.ask(DATABASES, { token, body: { name } });
  const requestError = {
    status: 403,
    json: { code: 'namespace/foreign', error: expect.stringContaining('begin with shop-') },
  };
  for (const name of ['club', 'club-default-rtdb', 'shop-eu-default-rtdb', 'shopping'])
    expect(await make(name)).toMatchObject(requestError);
  const instances = '/v1beta/projects/shop/locations/-/instances?databaseId=club';
  for (const more of ['', '&validateOnly=true'])
    expect(
      await serving.ask(`${instances}${more}`, { token: owner.memberToken, method: 'POST' }),
    ).toMatchObject({ status: 403 });
  expect((await make('shop-eu')).status).toBe(200);
  expect((await make('payroll', serving.token)).status).toBe(200);
  expect(await makeProject(serving, 'club')).toMatch(/^\w/);
});

test('[H408] a rejected request is recorded in the audit log if it has a credential', async () => {
  const { serving, owner, make } = await openShop();
  const viewer = await make('viewer');
  const denied = async (path: string, token: string, method = 'GET') =>
    expect([401, 403]).toContain((await serving.ask(path, { token, method })).status);
  await denied('/api/projects/shop/keys', viewer.memberToken);
  await denied('/api/databases/shop/rules/publish', viewer.memberToken, 'POST');
  await denied('/api/databases/shop/children', 'made-up');
  await denied('/api/projects/none/keys', owner.memberToken);
  await denied('/api/audit', owner.memberToken);
  expect((await serving.ask('/api/session')).status).toBe(401);
  const read = async (path: string, token: string) => {
    const { json } = await serving.ask(`${path}?event=admin_refused`, { token });
    return [json['entries']].flat().map((entry) => {
      const { actor, result } = Object(entry);
      return [actor, result];
    });
  };
  expect(await read('/api/projects/shop/audit', owner.memberToken)).toEqual([
    ['unknown', 'auth/admin-only'],
    [viewer.email, 'auth/role'],
    [viewer.email, 'auth/role'],
  ]);
  expect(await read('/api/audit', serving.token)).toEqual([
    [owner.email, 'auth/role'],
    [owner.email, 'member/unknown'],
  ]);
});
