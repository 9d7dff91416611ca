import { createPrivateKey, createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { signJwt } from '../auth/projects/service-account.fixture.ts';
import { nowMs } from '../platform/clock.ts';
import { makeProject, openShop } from './members.fixture.ts';
import { openServing, type Serving } from './serving.fixture.ts';

/** Creates a key of the service account `backend`, and returns an access token. */
async function backendToken(serving: Serving, roles?: readonly string[]): Promise<string> {
  const { json } = await serving.ask('/api/projects/shop/service-accounts/backend/keys', {
    token: serving.token,
    body: roles === undefined ? {} : { roles },
  });
  const privateKey = createPrivateKey(String(json['private_key']));
  const nowSec = Math.floor(nowMs() / 1_000);
  const claims = { iss: json['client_email'], aud: json['token_uri'], iat: nowSec, exp: nowSec + 300 };
  const assertion = signJwt(claims, { privateKey, publicKey: createPublicKey(privateKey) });
  const granted = await serving.ask('/token', {
    body: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion },
  });
  return String(granted.json['access_token']);
}

const ACCOUNT = '/api/projects/shop/service-accounts/backend';

test('[H563] an owner changes the roles of a service account, and its existing tokens have the new roles immediately', async () => {
  const { serving, owner, make } = await openShop();
  const token = await backendToken(serving);
  const write = () => serving.ask('/a.json?ns=shop', { token, method: 'PUT', body: 1 });
  expect((await write()).status).toBe(200);
  const change = (by: string, body: unknown) => serving.ask(ACCOUNT, { token: by, method: 'PATCH', body });
  const { memberToken: editor } = await make('editor');
  expect((await change(editor, { roles: ['database.viewer'] })).status).toBe(403);
  expect((await change(token, { roles: ['project.owner'] })).status).toBe(401);
  expect((await change(owner.memberToken, { roles: ['database.viewer'] })).json).toEqual({
    roles: ['database.viewer'],
  });
  expect((await write()).status).toBe(401);
  expect((await serving.ask('/a.json?ns=shop', { token })).status).toBe(200);
  for (const body of [{}, { roles: [] }, { roles: ['editor'] }, { roles: 'database.viewer' }])
    expect((await change(owner.memberToken, body)).status).toBe(400);
  const unknown = ACCOUNT.replace('backend', 'other');
  const missing = await serving.ask(unknown, {
    token: serving.token,
    method: 'PATCH',
    body: { roles: ['database.viewer'] },
  });
  expect(missing.status).toBe(404);
  const { json } = await serving.ask('/api/projects/shop/audit?event=service_account_changed', {
    token: serving.token,
  });
  expect(JSON.stringify(json)).toContain('Gave backend the roles database.viewer');
});

test('[H563] a key with other roles than those of its account is rejected', async () => {
  const serving = await openServing();
  await makeProject(serving, 'shop');
  await backendToken(serving, ['database.viewer', 'identity.viewer']);
  const add = (body: unknown) => serving.ask(`${ACCOUNT}/keys`, { token: serving.token, body });
  expect(await add({ roles: ['database.admin'] })).toMatchObject({
    status: 400,
    text: expect.stringContaining('exists with the roles identity.viewer, database.viewer'),
  });
  expect((await add({ roles: ['identity.viewer', 'database.viewer'] })).status).toBe(200);
  expect((await add({})).status).toBe(200);
});

test('[I710] a service account with the default roles can change no settings except the project configuration of firebase-admin', async () => {
  const { serving, make } = await openShop();
  const token = await backendToken(serving);
  const patch = (by: string, mask: string, body: unknown) =>
    serving.ask(`/v2/projects/shop/config?updateMask=${mask}`, { token: by, method: 'PATCH', body });
  const policy = {
    passwordPolicyConfig: {
      passwordPolicyEnforcementState: 'ENFORCE',
      passwordPolicyVersions: [{ customStrengthOptions: { minPasswordLength: 10 } }],
    },
  };
  const { memberToken: editor } = await make('editor');
  expect((await patch(editor, 'passwordPolicyConfig', policy)).status).toBe(403);
  expect((await patch(token, 'passwordPolicyConfig', policy)).status).toBe(200);
  expect((await patch(token, 'mfa.state', { mfa: { state: 'MANDATORY' } })).status).toBe(200);
  for (const [mask, body] of [
    ['authorizedDomains', { authorizedDomains: ['evil.example'] }],
    ['signIn.email.enabled', { signIn: { email: { enabled: false } } }],
    [
      'notification.sendEmail.callbackUri',
      { notification: { sendEmail: { callbackUri: 'https://evil.example' } } },
    ],
  ] as const)
    expect((await patch(token, mask, body)).status).toBe(403);
});

test('[H403] a version of the rules names the service account that published it', async () => {
  const serving = await openServing();
  await makeProject(serving, 'shop');
  const token = await backendToken(serving);
  const rules = { rules: { '.read': true } };
  await serving.ask('/.settings/rules.json?ns=shop', { token, method: 'PUT', body: rules });
  const { json } = await serving.ask('/api/databases/shop/rules/versions', { token });
  expect(json['versions']).toMatchObject([
    { author: { kind: 'service-account', email: 'backend@shop.hearth.internal' } },
  ]);
});
