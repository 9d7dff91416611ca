import { X509Certificate } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { AuthClient } from '../api/auth-client.fixture.ts';
import { openProviderTestBed, reply } from '../providers/fake-provider.fixture.ts';
import { createIdpKey } from './identity-provider.fixture.ts';

const key = createIdpKey();
const BASE64 = new X509Certificate(key.certificate).raw.toString('base64');
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const POST = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST';

function descriptor({ binding = REDIRECT, certificate = BASE64, wants = 'true' } = {}): string {
  const lines = certificate.match(/.{1,64}/g)?.join('\n') ?? '';
  return `<md:IDPSSODescriptor WantAuthnRequestsSigned="${wants}" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
<md:KeyDescriptor use="encryption"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>other</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>
${lines}
</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
<md:SingleSignOnService Binding="${POST}" Location="https://idp.example/post"/>
<md:SingleSignOnService Binding="${binding}" Location="https://idp.example/sso?a=1&amp;b=2"/>
</md:IDPSSODescriptor>`;
}

function metadata(content = descriptor()): string {
  return `<?xml version="1.0"?>
<!-- made by the provider -->
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="https://idp.example/metadata">${content}</md:EntityDescriptor>`;
}

async function open() {
  const bed = await openProviderTestBed();
  onTestFinished(() => bed.client.services.providers.saml[Symbol.asyncDispose]());
  return bed;
}

function read(client: AuthClient, body: object) {
  return client.request('POST', '/v2/projects/demo/inboundSamlConfigs:readMetadata', JSON.stringify(body), {
    authorization: 'Bearer owner',
  });
}

test('[I1330] the metadata of an identity provider, as text or from its address, fills a configuration', async () => {
  const { client, provider } = await open();
  const expected = {
    idpConfig: {
      idpEntityId: 'https://idp.example/metadata',
      ssoUrl: 'https://idp.example/sso?a=1&b=2',
      signRequest: true,
      idpCertificates: [{ x509Certificate: new X509Certificate(key.certificate).toString() }],
    },
  };
  expect((await read(client, { metadata: metadata() })).json).toEqual(expected);
  provider.answers.set('https://idp.example/metadata', () => reply(metadata()));
  const fetched = await read(client, { url: 'https://idp.example/metadata' });
  expect(fetched.json).toEqual(expected);
  const created = await client.request(
    'POST',
    '/v2/projects/demo/inboundSamlConfigs?inboundSamlConfigId=saml.work',
    JSON.stringify({ ...fetched.json, spConfig: { spEntityId: 'https://shop.example' } }),
    { authorization: 'Bearer owner' },
  );
  expect(created.status).toBe(200);
});

const UNUSABLE: readonly (readonly [string, string, string])[] = [
  ['no provider', metadata('<md:SPSSODescriptor/>'), 'does not describe an identity provider'],
  [
    'no entity',
    '<IDPSSODescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>',
    'does not name the identity provider (entityID)',
  ],
  ['two providers', metadata(descriptor() + descriptor()), 'more than one identity provider'],
  ['no redirects', metadata(descriptor({ binding: POST })), 'HTTP-Redirect'],
  ['no certificate', metadata(descriptor({ certificate: '' })), 'certificate in the metadata is not valid'],
  [
    'a broken certificate',
    metadata(descriptor({ certificate: 'abcd' })),
    'certificate in the metadata is not valid',
  ],
  ['a DTD', `<!DOCTYPE a [<!ENTITY b "c">]>${metadata()}`, 'has a DTD'],
  ['a comment without an end', `${metadata()}<!-- `, 'has a DTD, a comment'],
  ['no XML', 'hello', 'does not describe an identity provider'],
  ['an open element', metadata().slice(0, -10), 'not valid XML'],
  ['too much', `${metadata()}${' '.repeat(262_144)}`, 'larger than 262144 bytes'],
  ['too many elements', metadata('<a/>'.repeat(1_501)), 'larger than 1500 elements'],
];

test('[I1331] metadata that cannot be used are rejected with the reason', async () => {
  const { client } = await open();
  for (const [what, document, reason] of UNUSABLE) {
    const { status, text } = await read(client, { metadata: document });
    expect([what, status]).toEqual([what, 400]);
    expect(text).toContain('INVALID_CONFIG');
    expect(text).toContain(reason);
  }
});

test('[I1331] metadata from an address without TLS, or one that does not answer, are rejected without the reason', async () => {
  const { client, provider } = await open();
  provider.answers.set('https://idp.example/metadata', () => reply('secret', 500));
  for (const url of [
    'http://169.254.169.254/latest',
    'https://idp.example/metadata',
    'file:///etc/passwd',
    'x',
  ]) {
    const { json } = await read(client, { url });
    expect(JSON.stringify(json)).toContain('INVALID_IDP_RESPONSE');
    expect(JSON.stringify(json)).not.toContain('500');
  }
  expect(client.audited.filter(({ event }) => event === 'provider_unavailable')).toHaveLength(4);
  expect((await read(client, {})).status).toBe(400);
});
