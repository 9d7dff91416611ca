import { expect, test } from 'vitest';
import { INSTALLATION } from '../../records/store.ts';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { projectScope } from '../tenants/scope.ts';
import { selfSignedCertificate } from '../tokens/certificate.ts';
import { takeRsaKeyPair } from '../tokens/rsa-key-pairs.fixture.ts';
import { findProviderConfig } from './provider-config-store.ts';
import { openClientSecret } from './provider-secret.ts';

const OWNER = { authorization: 'Bearer owner' };
const DEMO = projectScope('demo');
const OIDC = '/v2/projects/demo/oauthIdpConfigs';
const SAML = '/v2/projects/demo/inboundSamlConfigs';
const PRESET = '/v2/projects/demo/defaultSupportedIdpConfigs';
const WORK = { clientId: 'shop', issuer: 'https://id.example', enabled: true, displayName: 'Work' };
const CODE = { ...WORK, clientSecret: 'secret', responseType: { code: true } };

function send(client: AuthClient, method: string, url: string, body?: object) {
  return client.request(method, url, body === undefined ? undefined : JSON.stringify(body), OWNER);
}

function secretOf({ services }: AuthClient, providerId: string): string | undefined {
  const config = services.recordStore.read((view) =>
    findProviderConfig(view.records(INSTALLATION), DEMO, providerId),
  );
  if (config === undefined || config.kind === 'saml') return undefined;
  return openClientSecret(services.secretBox, DEMO, config)?.reveal();
}

test('[I861] an OpenID provider is created, read, changed and deleted', async () => {
  const client = await AuthClient.open();
  const made = await send(client, 'POST', `${OIDC}?oauthIdpConfigId=oidc.work`, WORK);
  const name = 'projects/demo/oauthIdpConfigs/oidc.work';
  const shown = { name, ...WORK, responseType: { idToken: true }, hearth: { emailAuthority: 'DEFAULT' } };
  expect(made.json).toEqual(shown);
  expect((await send(client, 'GET', `${OIDC}/oidc.work`)).json).toEqual(shown);
  const mask = 'updateMask=enabled,hearth.emailAuthority,hearth.emailDomains';
  const hearth = { emailAuthority: 'DOMAINS', emailDomains: ['example.com'] };
  const changed = await send(client, 'PATCH', `${OIDC}/oidc.work?${mask}`, { enabled: false, hearth });
  expect(changed.json).toEqual({ ...shown, enabled: false, hearth });
  expect((await send(client, 'DELETE', `${OIDC}/oidc.work`)).json).toEqual({});
  expect((await send(client, 'GET', `${OIDC}/oidc.work`)).error).toBe('CONFIGURATION_NOT_FOUND');
  expect(client.audited.map(({ event, detail }) => [event, detail])).toEqual([
    ['provider_config_changed', 'oidc.work: created'],
    ['provider_config_changed', 'oidc.work: changed enabled, hearth.emailAuthority, hearth.emailDomains'],
    ['provider_config_changed', 'oidc.work: removed'],
  ]);
});

test('[I861] a SAML provider is created and changed', async () => {
  const client = await AuthClient.open();
  const x509Certificate = await selfSignedCertificate({
    ...takeRsaKeyPair(),
    name: 'idp',
    serialNumber: Uint8Array.of(1),
    notBeforeMs: 0,
    notAfterMs: 1e12,
  });
  const body = {
    enabled: true,
    idpConfig: {
      idpEntityId: 'idp',
      ssoUrl: 'https://id.example/sso',
      signRequest: false,
      idpCertificates: [{ x509Certificate }],
    },
    spConfig: { spEntityId: 'shop', callbackUri: 'https://shop.example/__/auth/handler' },
  };
  const made = await send(client, 'POST', `${SAML}?inboundSamlConfigId=saml.work`, body);
  expect(made.json).toMatchObject({ name: 'projects/demo/inboundSamlConfigs/saml.work', ...body });
  const change = { idpConfig: { ssoUrl: 'https://id.example/other' } };
  const changed = await send(client, 'PATCH', `${SAML}/saml.work?updateMask=idpConfig.ssoUrl`, change);
  expect(changed.json).toMatchObject({ ...body, idpConfig: { ...body.idpConfig, ...change.idpConfig } });
  const list = [{ x509Certificate: 'no certificate' }];
  const bad = await send(client, 'PATCH', `${SAML}/saml.work?updateMask=idpConfig.idpCertificates`, {
    idpConfig: { idpCertificates: list },
  });
  expect(bad.error).toMatch(/^INVALID_CONFIG : idpConfig\.idpCertificates must be/);
});

test('[I861] lists have pages', async () => {
  const client = await AuthClient.open();
  for (const id of ['oidc.c', 'oidc.a', 'oidc.b'])
    await send(client, 'POST', `${OIDC}?oauthIdpConfigId=${id}`, WORK);
  await send(client, 'POST', `${PRESET}?idpId=google.com`, { clientId: 'shop' });
  const first = (await send(client, 'GET', `${OIDC}?pageSize=2`)).json;
  expect(first).toMatchObject({
    oauthIdpConfigs: [
      { name: expect.stringMatching(/oidc\.a$/) },
      { name: expect.stringMatching(/oidc\.b$/) },
    ],
    nextPageToken: 'oidc.b',
  });
  const last = (await send(client, 'GET', `${OIDC}?pageSize=2&pageToken=oidc.b`)).json;
  expect(last).toEqual({ oauthIdpConfigs: [expect.objectContaining({ clientId: 'shop' })] });
  expect((await send(client, 'GET', `${OIDC}?pageSize=101`)).error).toMatch(/^INVALID_ARGUMENT/);
  expect((await send(client, 'GET', `${OIDC}?pageToken=saml.x`)).error).toBe('INVALID_PAGE_SELECTION');
  const presets = (await send(client, 'GET', '/v2/defaultSupportedIdps')).json['defaultSupportedIdps'];
  expect(presets).toContainEqual({ idpId: 'google.com', description: 'Google' });
});

test('[I862] a secret is sealed, never returned, and stays only for the same issuer and client', async () => {
  const client = await AuthClient.open();
  const made = await send(client, 'POST', `${OIDC}?oauthIdpConfigId=oidc.work`, CODE);
  expect(made.text).not.toContain('secret"');
  expect(secretOf(client, 'oidc.work')).toBe('secret');
  const patch = (mask: string, body: object) =>
    send(client, 'PATCH', `${OIDC}/oidc.work?updateMask=${mask}`, body);
  await patch('displayName', { displayName: 'Other' });
  expect(secretOf(client, 'oidc.work')).toBe('secret');
  for (const [mask, body] of [
    ['issuer', { issuer: 'https://evil.example' }],
    ['clientId', { clientId: 'other' }],
    ['clientSecret', { clientSecret: '' }],
  ] as const)
    expect((await patch(mask, body)).error).toMatch(/^INVALID_CONFIG : clientSecret must be given/);
  await patch('responseType.idToken', { responseType: { idToken: true } });
  await patch('issuer', { issuer: 'https://evil.example' });
  expect(secretOf(client, 'oidc.work')).toBeUndefined();
});

test('[I862] the key of Apple is sealed, and its bundle ids are further clients', async () => {
  const client = await AuthClient.open();
  const codeFlowConfig = { teamId: 'T', keyId: 'K' };
  const appleSignInConfig = {
    codeFlowConfig: { ...codeFlowConfig, privateKey: 'key' },
    bundleIds: ['example.app'],
  };
  const made = await send(client, 'POST', `${PRESET}?idpId=apple.com`, {
    clientId: 'shop',
    appleSignInConfig,
  });
  expect(made.json).toMatchObject({ appleSignInConfig: { codeFlowConfig, bundleIds: ['example.app'] } });
  expect(made.text).not.toContain('privateKey');
  const mask = 'appleSignInConfig.codeFlowConfig.keyId';
  const change = { appleSignInConfig: { codeFlowConfig: { keyId: 'other' } } };
  expect((await send(client, 'PATCH', `${PRESET}/apple.com?updateMask=${mask}`, change)).error).toMatch(
    /privateKey must be given for a new key/,
  );
});

test.each<readonly [string, object, string | RegExp]>([
  [OIDC, WORK, 'MISSING_CONFIG_ID'],
  [`${OIDC}?oauthIdpConfigId=saml.x`, WORK, 'INVALID_CONFIG_ID'],
  [`${OIDC}?oauthIdpConfigId=oidc.x%20y`, WORK, 'INVALID_CONFIG_ID'],
  [`${PRESET}?idpId=playgames.google.com`, WORK, 'INVALID_CONFIG_ID'],
  [`${OIDC}?oauthIdpConfigId=oidc.x`, { issuer: WORK.issuer }, 'MISSING_OAUTH_CLIENT_ID'],
  [`${OIDC}?oauthIdpConfigId=oidc.x`, { clientId: 'shop' }, 'MISSING_ISSUER'],
  [`${SAML}?inboundSamlConfigId=saml.x`, {}, 'MISSING_SAML_RELYING_PARTY_CONFIG'],
  [`${OIDC}?oauthIdpConfigId=oidc.x`, { ...WORK, issuer: 'http://id.example' }, /issuer must be an https/],
  [`${OIDC}?oauthIdpConfigId=oidc.x`, { ...WORK, issuer: 'https://id.example/?a' }, /without query/],
  [`${OIDC}?oauthIdpConfigId=oidc.x`, { ...WORK, other: 1 }, /other is not a setting/],
  [`${OIDC}?oauthIdpConfigId=oidc.x`, { ...WORK, responseType: { token: true } }, /token must be false/],
  [
    `${OIDC}?oauthIdpConfigId=oidc.x`,
    { ...WORK, responseType: { code: true } },
    /clientSecret must be given/,
  ],
  [
    `${OIDC}?oauthIdpConfigId=oidc.x`,
    { ...CODE, responseType: { code: true, idToken: true } },
    /exactly one/,
  ],
  [`${OIDC}?oauthIdpConfigId=oidc.x`, { ...WORK, clientSecret: 'x'.repeat(4_097) }, /at most 4096/],
  [`${OIDC}?oauthIdpConfigId=oidc.x`, { ...WORK, hearth: { emailAuthority: 'ALWAYS' } }, /one of DEFAULT/],
  [`${PRESET}?idpId=google.com`, { clientId: 'shop', appleSignInConfig: {} }, /absent for google\.com/],
])('[I863] creating a configuration at %s with %j is rejected with %s', async (url, body, error) => {
  const client = await AuthClient.open();
  const answer = await send(client, 'POST', url, body);
  expect([answer.status, answer.error]).toEqual([
    400,
    typeof error === 'string' ? error : expect.stringMatching(error),
  ]);
});

test('[I863] an ID is used once, and a project has at most 200 configurations', async () => {
  const client = await AuthClient.open();
  const create = (id: string) => send(client, 'POST', `${OIDC}?oauthIdpConfigId=${id}`, WORK);
  for (let index = 0; index < 200; index += 1) await create(`oidc.p${index}`);
  expect((await create('oidc.p0')).error).toBe('CONFIGURATION_EXISTS');
  expect((await create('oidc.x')).error).toBe('INVALID_CONFIG : A project has at most 200 providers.');
  await send(client, 'DELETE', `${OIDC}/oidc.p0`);
  expect((await create('oidc.x')).status).toBe(200);
});
