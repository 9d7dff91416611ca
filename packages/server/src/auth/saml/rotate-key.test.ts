import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { INSTALLATION } from '../../records/store.ts';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { projectScope } from '../tenants/scope.ts';
import { createTestTenant, OPEN_TENANT } from '../tenants/tenant.fixture.ts';
import { selfSignedCertificate } from '../tokens/certificate.ts';
import { takeRsaKeyPair } from '../tokens/rsa-key-pairs.fixture.ts';
import { findServiceKey, openServicePrivateKey } from './service-key.ts';

const OWNER = { authorization: 'Bearer owner' };

/** Creates a SAML provider. Returns functions that take a step of a rotation, and that list the certificates. */
async function openProvider(client: AuthClient, resource = 'projects/demo') {
  const list = `/v2/${resource}/inboundSamlConfigs`;
  const certificate = await selfSignedCertificate({
    ...takeRsaKeyPair(),
    name: 'provider',
    serialNumber: Buffer.alloc(16, 1),
    notBeforeMs: 0,
    notAfterMs: 4_000_000_000_000,
  });
  const body = {
    enabled: true,
    idpConfig: {
      idpEntityId: 'https://id.example',
      ssoUrl: 'https://id.example/sso',
      idpCertificates: [{ x509Certificate: certificate }],
    },
    spConfig: { spEntityId: 'https://app.example' },
  };
  const url = `${list}?inboundSamlConfigId=saml.work`;
  const { status } = await client.request('POST', url, JSON.stringify(body), OWNER);
  expect(status).toBe(200);
  const step = (name: unknown) =>
    client.request('POST', `${list}:rotateKey`, JSON.stringify({ step: name }), OWNER);
  const certificates = async (): Promise<readonly string[]> => {
    const { json } = await client.request('GET', `${list}/saml.work`, undefined, OWNER);
    return Object(json['spConfig']).spCertificates.map(
      (one: Record<string, unknown>) => one['x509Certificate'],
    );
  };
  return { step, certificates };
}

/** Returns whether requests are signed with the key of a certificate. */
function isSigningKey({ services }: AuthClient, certificate: string): boolean {
  const scope = projectScope('demo');
  const key = services.recordStore.read((view) => findServiceKey(view.records(INSTALLATION), scope));
  if (key === undefined) throw new Error('There is no key.');
  const privateKey = createPrivateKey(openServicePrivateKey(services, scope, key));
  return new X509Certificate(certificate).checkPrivateKey(privateKey);
}

test('[I1647] the next key has a certificate before it signs, and then replaces the key', async () => {
  const client = await AuthClient.open();
  const { step, certificates } = await openProvider(client);
  const [first = ''] = await certificates();
  expect((await step('PREPARE')).status).toBe(200);
  const both = await certificates();
  expect(both).toEqual([first, expect.stringMatching(/^-----BEGIN CERTIFICATE-----/)]);
  expect(isSigningKey(client, first)).toBe(true);
  await step('PREPARE');
  expect(await certificates()).toEqual(both);
  const { json } = await step('FINISH');
  expect(json['spCertificates']).toMatchObject([{ x509Certificate: both[1] }]);
  expect(await certificates()).toEqual(both.slice(1));
  expect(isSigningKey(client, both[1] ?? '')).toBe(true);
  const details = client.audited
    .filter(({ event }) => event === 'provider_config_changed')
    .map(({ detail }) => detail);
  expect(details.slice(-1)).toEqual(['key for SAML: FINISH']);
});

test('[I1647] a rotation can be canceled, and finishing one without a next key is rejected', async () => {
  const client = await AuthClient.open();
  const { step, certificates } = await openProvider(client);
  const before = await certificates();
  expect((await step('FINISH')).error).toMatch(/^CONFIGURATION_NOT_FOUND/);
  await step('PREPARE');
  expect((await step('CANCEL')).status).toBe(200);
  expect(await certificates()).toEqual(before);
  expect((await step('CANCEL')).error).toMatch(/^CONFIGURATION_NOT_FOUND/);
  for (const wrong of ['finish', '', 1]) expect((await step(wrong)).error).toMatch(/^INVALID_ARGUMENT/);
});

test('[I1647] a project without a SAML provider has no key to replace, and a tenant replaces its own', async () => {
  const client = await AuthClient.open();
  const url = '/v2/projects/demo/inboundSamlConfigs:rotateKey';
  const answer = await client.request('POST', url, '{"step":"PREPARE"}', OWNER);
  expect(answer.error).toMatch(/^CONFIGURATION_NOT_FOUND/);
  const project = await openProvider(client);
  const tenantId = await createTestTenant(client, OPEN_TENANT);
  const tenant = await openProvider(client, `projects/demo/tenants/${tenantId}`);
  const before = await project.certificates();
  await tenant.step('PREPARE');
  expect(await tenant.certificates()).toHaveLength(2);
  expect(await project.certificates()).toEqual(before);
});

test('[I1647] only administrators replace keys', async () => {
  const client = await AuthClient.open();
  await openProvider(client);
  const url = '/v2/projects/demo/inboundSamlConfigs:rotateKey?key=any';
  expect((await client.request('POST', url, '{"step":"PREPARE"}')).status).toBeGreaterThanOrEqual(400);
});
