import { expect, test } from 'vitest';
import { AuthClient } from './auth-client.fixture.ts';

async function read(client: AuthClient, path: string, host = 'localhost:9000') {
  const { status, json } = await client.request('GET', `${path}?key=any`, undefined, { host });
  expect(status).toBe(200);
  return json;
}

test('[I424] the configuration that apps read has the project number, the authorized domains and the host of the request', async () => {
  const client = await AuthClient.open();
  await client.settings((settings) => ({ ...settings, authorizedDomains: ['app.example', '*.web.example'] }));
  const project = client.services.projects.find('demo');
  for (const path of ['/v1/projects', '/identitytoolkit/v3/relyingparty/getProjectConfig'])
    expect(await read(client, path, '127.0.0.1:9000')).toEqual({
      projectId: project?.number,
      authorizedDomains: ['app.example', 'web.example', '127.0.0.1'],
    });
});

test('[I424] a host that is already authorized is listed once', async () => {
  const client = await AuthClient.open();
  expect(await read(client, '/v1/projects')).toMatchObject({
    authorizedDomains: ['localhost', '127.0.0.1', '::1'],
  });
});

test('[I425] the configuration for a page without the script mentions no challenges', async () => {
  const client = await AuthClient.open();
  expect(await read(client, '/v2/recaptchaConfig')).toEqual({
    recaptchaKey: 'projects/demo/keys/none',
    recaptchaEnforcementState: [
      { provider: 'EMAIL_PASSWORD_PROVIDER', enforcementState: 'OFF' },
      { provider: 'PHONE_PROVIDER', enforcementState: 'OFF' },
    ],
  });
  for (const path of ['/v1/recaptchaParams', '/identitytoolkit/v3/relyingparty/getRecaptchaParam'])
    expect(await read(client, path)).toEqual({
      kind: 'identitytoolkit#GetRecaptchaParamResponse',
      recaptchaSiteKey: 'hearth-pow.any',
      recaptchaStoken: 'hearth-pow.any',
      producerProjectNumber: expect.stringMatching(/^\d+$/),
    });
});

test('[I426] apps can read the password policy, in the format that clients check', async () => {
  const client = await AuthClient.open();
  await client.settings((settings) => ({
    ...settings,
    passwordPolicy: { ...settings.passwordPolicy, isEnforced: true, minLength: 10, needsNumeric: true },
  }));
  expect(await read(client, '/v2/passwordPolicy')).toMatchObject({
    customStrengthOptions: {
      minPasswordLength: 10,
      maxPasswordLength: 4096,
      containsNumericCharacter: true,
    },
    enforcementState: 'ENFORCE',
    forceUpgradeOnSignin: false,
    schemaVersion: 1,
  });
});

test.each(['/v1/projects', '/v1/recaptchaParams', '/v2/recaptchaConfig', '/v2/passwordPolicy'])(
  '[I4] %s needs an API key',
  async (path) => {
    const client = await AuthClient.open();
    expect((await client.request('GET', path)).status).toBe(403);
  },
);
