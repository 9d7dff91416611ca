import { verify, X509Certificate } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import {
  ASSERTION_PATH,
  assertionXml,
  createIdpKey,
  RESPONSE_PATH,
  type ResponseContent,
  readAuthnRequest,
  responseXml,
  signedResponse,
  signXml,
} from '../auth/saml/identity-provider.fixture.ts';
import { HANDLER, type Json, openFlows } from './sign-in-flow.fixture.ts';

const IDP = 'https://idp.example/metadata';
const SSO = 'https://idp.example/sso?tenant=1';
const SP = 'https://shop.example';
const ACS = `https://auth.example${HANDLER}`;
const key = createIdpKey();
const PREFIX = 'The response is not valid.';

const opened: Awaited<ReturnType<typeof openFlows>>[] = [];

afterAll(async () => {
  for (const { client } of opened) await client.services.providers.saml[Symbol.asyncDispose]();
});

/** Opens a server whose project uses a SAML provider. */
async function openSaml({ isSecure = true, network = 'n', idp = {} as Json, hearth = {} as Json } = {}) {
  const flows = await openFlows({ isSecure, network });
  opened.push(flows);
  const { client, start, finishByForm } = flows;
  const change = (body: Json, method = 'POST', path = '?inboundSamlConfigId=saml.work') =>
    client.request(method, `/v2/projects/demo/inboundSamlConfigs${path}`, JSON.stringify(body), {
      authorization: 'Bearer owner',
    });
  const created = await change({
    enabled: true,
    idpConfig: {
      idpEntityId: IDP,
      ssoUrl: SSO,
      idpCertificates: [{ x509Certificate: key.certificate }],
      ...idp,
    },
    spConfig: { spEntityId: SP },
    hearth,
  });
  expect(created.status).toBe(200);
  async function begin(more: Json = {}) {
    const begun = await start({ providerId: 'saml.work', ...more });
    const request = readAuthnRequest(begun.location);
    const nowMs = client.clock.ms;
    const content: ResponseContent = {
      requestId: request.id,
      nameId: 'ann@example.com',
      issuer: IDP,
      audience: SP,
      recipient: ACS,
      destination: ACS,
      fromMs: nowMs - 1_000,
      untilMs: nowMs + 300_000,
      attributes: { displayName: ['Ann'], groups: ['staff', 'admins'] },
    };
    return { ...begun, request, content };
  }
  /**
   * Runs a flow in which the provider answers with the result of `respond`. Returns the page, and the reason in the
   * audit log.
   */
  async function run(respond: (content: ResponseContent) => string, more: Json = {}) {
    const { content, request, cookie } = await begin(more);
    const SAMLResponse = Buffer.from(respond(content)).toString('base64');
    const { status, page } = await finishByForm({ SAMLResponse, RelayState: request.relayState }, cookie);
    const last = client.audited.at(-1);
    const reason = last?.event === 'provider_flow_failed' ? String(last.detail) : null;
    return { status, page, reason };
  }
  return { ...flows, begin, run, change };
}

test('[I1301] a popup leads to the SAML provider with a request, and its signed assertion signs in, once', async () => {
  const { begin, finishByForm, use, client } = await openSaml();
  const { status, location, setCookie, cookie, request, content } = await begin();
  expect([status, location.origin + location.pathname]).toEqual([303, 'https://idp.example/sso']);
  expect(location.searchParams.get('tenant')).toBe('1');
  expect(request.xml).toContain(`AssertionConsumerServiceURL="${ACS}"`);
  expect(request.xml).toContain(`>${SP}</saml:Issuer>`);
  expect(setCookie).toMatch(/^__Host-authflow-form=[\w-]{43}; Path=\/; HttpOnly; SameSite=None; Secure$/);
  const form = {
    SAMLResponse: Buffer.from(signedResponse(content, key)).toString('base64'),
    RelayState: request.relayState,
  };
  const { page } = await finishByForm(form, cookie);
  expect(page).toMatchObject({ kind: 'deliver', event: { type: 'signInViaPopup', eventId: '123' } });
  const { json } = await use(page, { returnIdpCredential: true });
  expect(json).toMatchObject({
    providerId: 'saml.work',
    federatedId: 'ann@example.com',
    email: 'ann@example.com',
    emailVerified: false,
    displayName: 'Ann',
    isNewUser: true,
  });
  expect(JSON.parse(String(json['rawUserInfo']))).toEqual({
    displayName: 'Ann',
    groups: ['staff', 'admins'],
  });
  const claims = JSON.parse(Buffer.from(String(json['idToken']).split('.')[1] ?? '', 'base64url').toString());
  expect(claims.firebase).toMatchObject({
    sign_in_provider: 'saml.work',
    identities: { 'saml.work': ['ann@example.com'] },
    sign_in_attributes: { groups: ['staff', 'admins'] },
  });
  expect((await use(page)).error).toMatch(/^INVALID_IDP_RESPONSE/);
  // The credential of the SDK is a token with which the same identity can sign in again.
  const pending = { requestUri: 'http://localhost', pendingToken: json['pendingToken'] };
  expect((await client.post('accounts:signInWithIdp', pending)).json).toMatchObject({
    localId: json['localId'],
  });
  expect((await finishByForm(form, cookie)).page.problem).toBe('expired');
});

test('[I1302] a response is accepted only in the browser in which the sign-in began', async () => {
  const { begin, finishByForm, finish } = await openSaml({ isSecure: false });
  const { setCookie, cookie, request, content } = await begin();
  expect(setCookie).toMatch(/^authflow-form=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  const SAMLResponse = Buffer.from(signedResponse(content, key)).toString('base64');
  for (const foreign of [undefined, 'authflow-form=guess', cookie?.replace('-form', '')]) {
    const other = await begin();
    const { page } = await finishByForm({ SAMLResponse, RelayState: other.request.relayState }, foreign);
    expect(page.problem).toBe('otherBrowser');
  }
  const swapped = await begin();
  expect((await finish({ RelayState: swapped.request.relayState }, cookie)).page.problem).toBe(
    'otherBrowser',
  );
  expect((await finishByForm({ SAMLResponse, RelayState: request.relayState }, cookie)).page.kind).toBe(
    'deliver',
  );
  expect((await finishByForm({ SAMLResponse }, cookie)).page.problem).toBe('expired');
});

const OTHER_KEY = createIdpKey('other');
const SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';
const edited = (change: Partial<ResponseContent>) => (content: ResponseContent) =>
  signedResponse({ ...content, ...change }, key);

const INVALID: readonly (readonly [string, RegExp, (content: ResponseContent) => string])[] = [
  ['another audience', /audience mismatch/, edited({ audience: 'https://evil.example' })],
  ['another recipient', /recipient of the assertion is/, edited({ recipient: 'https://evil.example/acs' })],
  [
    'another destination',
    /is for https:\/\/evil.example\/acs/,
    edited({ destination: 'https://evil.example/acs' }),
  ],
  ['another issuer', /is of "https:\/\/evil.example"/, edited({ issuer: 'https://evil.example' })],
  [
    'an old assertion',
    /No valid subject confirmation/,
    edited({ fromMs: Date.now() - 900_000, untilMs: Date.now() - 600_000 }),
  ],
  [
    'an assertion of the future',
    /not yet valid/,
    edited({ fromMs: Date.now() + 900_000, untilMs: Date.now() + 990_000 }),
  ],
  ['another request', /InResponseTo is not valid/, edited({ requestId: '_other' })],
  ['no user', /does not name the user/, edited({ nameId: '' })],
  ['the key of another provider', /Invalid signature/, (content) => signedResponse(content, OTHER_KEY)],
  ['no signature', /Invalid signature/, (content) => responseXml(content, assertionXml(content))],
  [
    'a signed response around an unsigned assertion',
    /Invalid signature/,
    (content) => signXml(responseXml(content, assertionXml(content)), RESPONSE_PATH, key),
  ],
  [
    'a signature with SHA-1',
    /It needs RSA with SHA-256/,
    (content) => signXml(responseXml(content, assertionXml(content)), ASSERTION_PATH, key, SHA1),
  ],
  [
    'a changed user',
    /Invalid signature/,
    (content) => signedResponse(content, key).replace('ann@example.com', 'ben@example.com'),
  ],
  [
    'a comment in the name of the user',
    /has a DTD, a comment/,
    (content) =>
      signedResponse({ ...content, nameId: 'ann@example.com.evil.example' }, key).replace(
        'ann@example.com.evil',
        'ann@example.com<!---->.evil',
      ),
  ],
  [
    'entities',
    /has a DTD/,
    (content) => `<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>${signedResponse(content, key)}`,
  ],
  [
    'a processing instruction',
    /processing instruction/,
    (content) => signedResponse(content, key).replace('</samlp:Status>', '</samlp:Status><?x y?>'),
  ],
  ['XML that is not complete', /not valid/, (content) => signedResponse(content, key).slice(0, -30)],
  [
    'an attribute without quotes',
    /not valid XML/,
    (content) => signedResponse(content, key).replace('ID="_response"', 'ID=_response'),
  ],
  ['something other than XML', /not XML|not valid/, () => 'hello'],
  ['nothing', /not XML|not valid/, () => ''],
  [
    'thousands of elements',
    /larger than 1500 elements/,
    (content) =>
      signedResponse(content, key).replace('</samlp:Status>', `</samlp:Status>${'<a/>'.repeat(1_500)}`),
  ],
  [
    'a document of 300 KiB',
    /larger than/,
    (content) =>
      signedResponse(content, key).replace('<samlp:Status>', `<samlp:Status>${' '.repeat(300_000)}`),
  ],
];

test('[I1303] responses that are not valid are rejected with a page, and audited', async () => {
  const { run } = await openSaml();
  for (const [what, reason, respond] of INVALID) {
    const ended = await run(respond);
    expect([what, ended.status, ended.page.problem]).toEqual([what, 400, 'providerFailed']);
    expect(ended.reason, what).toMatch(reason);
  }
});

/**
 * Returns a signed response for the user Eve, and the same response with an unsigned assertion in place of the signed
 * one.
 */
function wrap(content: ResponseContent) {
  const signed = signedResponse({ ...content, nameId: 'eve@example.com' }, key);
  const assertion = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(signed)?.[0] ?? '';
  const signature = /<ds:Signature[\s\S]*<\/ds:Signature>/.exec(assertion)?.[0] ?? '';
  const forged = assertionXml(content).replace('"_assertion"', '"_forged"');
  return { signed, assertion, signature, forged };
}

const MOVED: readonly (readonly [string, (content: ResponseContent) => string])[] = [
  [
    'a forged assertion before the signed one',
    (content) => {
      const { signed, assertion, forged } = wrap(content);
      return signed.replace(assertion, forged + assertion);
    },
  ],
  [
    'the signed assertion inside the forged one',
    (content) => {
      const { signed, assertion, forged } = wrap(content);
      return signed.replace(assertion, forged.replace('</saml:Assertion>', `${assertion}</saml:Assertion>`));
    },
  ],
  [
    'the signed assertion inside the signature of the forged one',
    (content) => {
      const { signed, assertion, signature, forged } = wrap(content);
      const unsigned = assertion.replace(signature, '');
      const moved = signature.replace('</ds:Signature>', `<ds:Object>${unsigned}</ds:Object></ds:Signature>`);
      return signed.replace(assertion, forged.replace('</saml:Issuer>', `</saml:Issuer>${moved}`));
    },
  ],
  [
    'the signed response inside extensions of a forged one',
    (content) => {
      const { signed, forged } = wrap(content);
      return responseXml(content, forged).replace(
        '<samlp:Status>',
        `<samlp:Extensions>${signed}</samlp:Extensions><samlp:Status>`,
      );
    },
  ],
  [
    'a forged assertion with the ID of the signed one',
    (content) => {
      const { signed, assertion, signature } = wrap(content);
      const forged = assertionXml(content).replace('</saml:Issuer>', `</saml:Issuer>${signature}`);
      return signed.replace(assertion, forged);
    },
  ],
  [
    'the signed assertion as an assertion of another namespace next to a forged one',
    (content) => {
      const { signed, assertion, forged } = wrap(content);
      const moved = assertion
        .replaceAll('saml:Assertion', 'evil:Assertion')
        .replace('xmlns:saml', 'xmlns:evil="urn:evil" xmlns:saml');
      return signed.replace(assertion, forged + moved);
    },
  ],
];

test('[I1304] a signature that is moved signs no user in', async () => {
  const { run } = await openSaml();
  for (const [what, respond] of MOVED) {
    const ended = await run(respond);
    expect([what, ended.status, ended.page.problem]).toEqual([what, 400, 'providerFailed']);
    expect(ended.reason, what).toContain('saml.work: ');
  }
});

test('[I1305] an assertion of another sign-in is rejected: each sign-in has a request of its own', async () => {
  const { begin, finishByForm, client } = await openSaml();
  const first = await begin();
  const SAMLResponse = Buffer.from(signedResponse(first.content, key)).toString('base64');
  expect(
    (await finishByForm({ SAMLResponse, RelayState: first.request.relayState }, first.cookie)).page.kind,
  ).toBe('deliver');
  const second = await begin();
  const replayed = await finishByForm({ SAMLResponse, RelayState: second.request.relayState }, second.cookie);
  expect(replayed.page.problem).toBe('providerFailed');
  expect(client.audited.at(-1)?.detail).toContain('InResponseTo');
});

test('[I1306] if a user does not agree at the SAML provider, the app gets the error auth/user-cancelled', async () => {
  const { run } = await openSaml();
  const status = 'urn:oasis:names:tc:SAML:2.0:status:';
  const ended = await run((content) =>
    responseXml(content).replace(
      /<samlp:StatusCode [^>]*>/,
      `<samlp:StatusCode Value="${status}Responder"><samlp:StatusCode Value="${status}RequestDenied"/></samlp:StatusCode>`,
    ),
  );
  expect(ended.page.event?.error?.code).toBe('auth/user-cancelled');
  const failed = await run((content) =>
    responseXml(content).replace('status:Success', 'status:VersionMismatch'),
  );
  expect([failed.page.problem, failed.reason]).toEqual([
    'providerFailed',
    `saml.work: ${PREFIX} SAML provider returned VersionMismatch error: unspecified`,
  ]);
});

test('[I1307] if the `NameID` is not an email address, the address comes from the attributes, as the configuration says', async () => {
  const { run, use, client } = await openSaml({ hearth: { emailAuthority: 'VERIFIED' } });
  const { localId } = await client.signUp('ben@example.com');
  const { page } = await run((content) =>
    signedResponse({ ...content, nameId: 'u-17', attributes: { mail: ['Ben@example.com'] } }, key),
  );
  const { json } = await use(page);
  expect(json).toMatchObject({ localId, federatedId: 'u-17', email: 'ben@example.com', emailVerified: true });
});

test('[I1332] requests are signed if the configuration says so, with the key whose certificate it contains', async () => {
  const { begin, change, client } = await openSaml();
  const { json } = await change(
    { idpConfig: { signRequest: true } },
    'PATCH',
    '/saml.work?updateMask=idpConfig.signRequest',
  );
  const [{ x509Certificate, expiresAt }] = Object(json)['spConfig'].spCertificates;
  expect(Date.parse(expiresAt) - client.clock.ms).toBeGreaterThan(9 * 31_536_000_000);
  const { location } = await begin();
  const [signed = '', signature = ''] = location.search.slice(1).split('&Signature=');
  const text = signed.slice(signed.indexOf('SAMLRequest='));
  expect(new URLSearchParams(text).get('SigAlg')).toBe('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256');
  const bytes = Buffer.from(decodeURIComponent(signature), 'base64');
  expect(verify('sha256', Buffer.from(text), x509Certificate, bytes)).toBe(true);
});

test('[I1333] the metadata of a project tell the provider its entity ID, address and certificate', async () => {
  const { http, change } = await openSaml();
  const read = (query: string) =>
    http.send({ method: 'GET', url: `/__/auth/saml/${query}`, headers: { host: 'localhost:9000' } });
  const { status, headers, body } = await read('saml.work/metadata?project=demo');
  expect([status, headers['content-type']]).toEqual([200, 'application/samlmetadata+xml; charset=utf-8']);
  const { json } = await change({}, 'GET', '/saml.work');
  const [{ x509Certificate }] = Object(json)['spConfig'].spCertificates;
  expect(body).toContain(new X509Certificate(x509Certificate).raw.toString('base64'));
  expect(body).toContain(`entityID="${SP}"`);
  expect(body).toContain(`Location="${ACS}"`);
  expect(body).toContain('AuthnRequestsSigned="false"');
  for (const query of [
    'saml.other/metadata?project=demo',
    'saml.work/metadata?project=other',
    'saml.work/metadata',
    'saml.work/metadata?project=demo&tid=acme',
    'oidc.work/metadata?project=demo',
  ])
    expect((await read(query)).status).toBe(404);
});

test('[I1334] an attribute that the configuration names holds the address and the name', async () => {
  const { run, use } = await openSaml({
    hearth: { attributes: { email: 'kontakt', displayName: 'anzeige' } },
  });
  const { page } = await run((content) =>
    signedResponse(
      {
        ...content,
        attributes: { kontakt: ['ann@work.example'], anzeige: ['Ann Lee'], displayName: ['other'] },
      },
      key,
    ),
  );
  expect((await use(page)).json).toMatchObject({
    federatedId: 'ann@example.com',
    email: 'ann@work.example',
    displayName: 'Ann Lee',
  });
});
