import { expect, test } from 'vitest';
import { AuthClient } from './auth-client.fixture.ts';

test.each(['/v1/accounts:signInWithGameCenter', '/v2/accounts:revokeToken'])(
  '[I431] %s is rejected like a provider that is not enabled',
  async (path) => {
    const client = await AuthClient.open();
    const { status, error } = await client.post(path, { requestUri: 'http://localhost' });
    expect([status, error?.split(' : ')[0]]).toEqual([400, 'OPERATION_NOT_ALLOWED']);
  },
);

test('[I431] other unsupported methods answer an error or an empty object that clients understand', async () => {
  const client = await AuthClient.open();
  expect((await client.post('accounts:verifyIosClient')).error).toBe('APP_NOT_VERIFIED');
  expect((await client.post('accounts:issueSamlResponse')).status).toBe(501);
  expect((await client.post('/identitytoolkit/v3/relyingparty/signOutUser')).json).toEqual({});
});

test.each([
  ['GET', '/v2/projects/demo/tenants?pageSize=10', 'This server has no tenants.'],
  ['POST', '/v2/projects/demo/tenants', 'This server has no tenants.'],
  ['PATCH', '/v2/projects/demo/tenants/t?updateMask=displayName', 'This server has no tenants.'],
  ['POST', '/v1/projects/demo/tenants/t/accounts', 'This server has no tenants.'],
  ['POST', '/v1/projects/demo/tenants/t/accounts:lookup', 'This server has no tenants.'],
  ['POST', '/v1/projects/demo/tenants/t:createSessionCookie', 'This server has no tenants.'],
  ['GET', '/v2/projects/demo/tenants/t/oauthIdpConfigs/oidc.x', 'This server has no tenants.'],
])(
  '[I690] the error response to %s %s says what the server does not support',
  async (method, path, sentence) => {
    const client = await AuthClient.open();
    const body = method === 'GET' ? undefined : '{}';
    const { status, error } = await client.request(method, path, body, { authorization: 'Bearer owner' });
    expect([status, error]).toEqual([400, `OPERATION_NOT_ALLOWED : ${sentence}`]);
    expect((await client.request(method, path, body)).status).toBe(401);
  },
);
