import { expect, test } from 'vitest';
import type { SamlConfig } from '../providers/provider-config.ts';
import { readSamlAssertion } from './assertion.ts';

const NOW_MS = Date.parse('2026-01-01T12:00:00Z');
const CONFIG: SamlConfig = {
  kind: 'saml',
  providerId: 'saml.work',
  displayName: null,
  isEnabled: true,
  emailAuthority: { kind: 'default' },
  idpEntityId: 'idp',
  ssoUrl: 'https://idp.example/',
  signsRequests: false,
  idpCertificates: [],
  spEntityId: 'shop',
  callbackUri: null,
};
const EXPECTED = { requestId: '_1', callbackUrl: 'https://a.example/', nowMs: NOW_MS };
const DATA = {
  InResponseTo: '_1',
  Recipient: 'https://a.example/',
  NotOnOrAfter: '2026-01-01T12:05:00Z',
};
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

type Json = Readonly<Record<string, unknown>>;

function confirmation(data: Json | undefined, Method = BEARER): Json {
  return { $: { Method }, ...(data === undefined ? {} : { SubjectConfirmationData: [{ $: data }] }) };
}

/** Returns an assertion in the form in which the XML library represents it, with `change` in place of its elements. */
function assertion(change: Json = {}): Json {
  return {
    Assertion: {
      $: { Version: '2.0' },
      Issuer: [{ _: 'idp' }],
      Subject: [{ NameID: [{ _: 'ann@example.com' }], SubjectConfirmation: [confirmation(DATA)] }],
      Conditions: [{ $: {}, AudienceRestriction: [{ Audience: [{ _: 'other' }, { _: 'shop' }] }] }],
      AttributeStatement: [
        {
          Attribute: [
            {
              $: { Name: 'groups' },
              AttributeValue: [{ _: 'staff' }, { _: 'admins', $: { type: 'string' } }],
            },
            { $: { Name: 'mail' }, AttributeValue: [{ _: 'other@example.com' }] },
            { $: { Name: '__proto__' }, AttributeValue: [{ _: 'x' }] },
            { $: { Name: 'getAssertion' }, AttributeValue: ['text'] },
          ],
        },
      ],
      ...change,
    },
  };
}

function subject(...confirmations: readonly Json[]): Json {
  return { Subject: [{ NameID: [{ _: 'ann' }], SubjectConfirmation: confirmations }] };
}

test('[I1307] an email address in the `NameID` is preferred to one in the attributes', () => {
  expect(readSamlAssertion(CONFIG, assertion(), EXPECTED)).toMatchObject({
    providerId: 'saml.work',
    rawId: 'ann@example.com',
    email: 'ann@example.com',
    rawUserInfo: { groups: ['staff', 'admins'], mail: 'other@example.com', getAssertion: 'text' },
    signInAttributes: { groups: ['staff', 'admins'], mail: 'other@example.com', getAssertion: 'text' },
    tokens: {},
  });
  const named = readSamlAssertion(CONFIG, assertion(subject(confirmation(DATA))), EXPECTED);
  expect(named).toMatchObject({ rawId: 'ann', email: 'other@example.com' });
});

test('[I1303] one valid confirmation is enough', () => {
  const change = subject(confirmation({ ...DATA, InResponseTo: '_2' }), confirmation(DATA));
  expect(readSamlAssertion(CONFIG, assertion(change), EXPECTED).rawId).toBe('ann');
});

const restricted = (...audiences: readonly (readonly string[])[]) => ({
  Conditions: [{ AudienceRestriction: audiences.map((names) => ({ Audience: names.map((_) => ({ _ })) })) }],
});

test.each<[string, string, Json]>([
  ['no issuer', 'exactly one element "Issuer"', { Issuer: undefined }],
  ['two issuers', 'exactly one element "Issuer"', { Issuer: [{ _: 'idp' }, { _: 'idp' }] }],
  ['another version', 'not of SAML 2.0', { $: { Version: '1.1' } }],
  ['no conditions', 'exactly one element "Conditions"', { Conditions: undefined }],
  ['no audience', 'is for ""', { Conditions: [{ $: {} }] }],
  ['a second restriction for another service', 'is for "shop evil"', restricted(['shop'], ['evil'])],
  [
    'conditions that have expired',
    'expired',
    { Conditions: [{ ...restricted(['shop']).Conditions[0], $: { NotOnOrAfter: '2026-01-01T11:57:00Z' } }] },
  ],
  [
    'conditions with an invalid time',
    'expired',
    { Conditions: [{ $: { NotOnOrAfter: 'soon' }, ...restricted(['shop']).Conditions[0] }] },
  ],
  ['no subject', 'exactly one element "Subject"', { Subject: undefined }],
  ['two subjects', 'exactly one element "Subject"', { Subject: [{}, {}] }],
  ['no confirmation', 'for which request', subject()],
  ['a confirmation without data', 'not for the bearer', subject(confirmation(undefined))],
  [
    'a confirmation by a key',
    'not for the bearer',
    subject(confirmation(DATA, 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key')),
  ],
  [
    'a confirmation for no request',
    'does not answer this sign-in',
    subject(confirmation({ ...DATA, InResponseTo: undefined })),
  ],
  ['no recipient', 'recipient', subject(confirmation({ ...DATA, Recipient: undefined }))],
  ['no expiry', 'when it expires', subject(confirmation({ ...DATA, NotOnOrAfter: undefined }))],
  [
    'a confirmation that is not valid yet',
    'not valid yet',
    subject(confirmation({ ...DATA, NotBefore: '2026-01-01T12:04:00Z' })),
  ],
  [
    'no name',
    'does not name the user',
    { Subject: [{ NameID: [{}], SubjectConfirmation: [confirmation(DATA)] }] },
  ],
])('[I1303] an assertion with %s is rejected', (_what, message, change) => {
  expect(() => readSamlAssertion(CONFIG, assertion(change), EXPECTED)).toThrow(message);
});

test('[I1303] a value that is not an assertion is rejected', () => {
  for (const value of [undefined, null, 'x', {}, { Assertion: '' }, { Assertion: [] }])
    expect(() => readSamlAssertion(CONFIG, value, EXPECTED)).toThrow('The response is not valid.');
});
