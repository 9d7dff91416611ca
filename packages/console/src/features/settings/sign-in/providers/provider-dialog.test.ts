import { expect, test } from 'vitest';
import { CERTIFICATE, LONG_CERTIFICATE } from './certificates.fixture.ts';
import { checkProvider, decodeProvider, encodeProvider } from './provider-dialog.tsx';

const GOOGLE = decodeProvider({ name: 'projects/p/defaultSupportedIdpConfigs/google.com', enabled: true });
const OIDC = decodeProvider({
  name: 'projects/p/oauthIdpConfigs/oidc.okta',
  clientId: 'c',
  issuer: 'https://id.example',
});
const SAML = decodeProvider({
  name: 'projects/p/inboundSamlConfigs/saml.work',
  enabled: true,
  displayName: 'Work',
  idpConfig: {
    idpEntityId: 'https://idp.example',
    ssoUrl: 'https://idp.example/sso',
    signRequest: true,
    idpCertificates: [{ x509Certificate: `${CERTIFICATE}\n` }, { x509Certificate: LONG_CERTIFICATE }],
  },
  spConfig: { spEntityId: 'https://app.example' },
});
const APPLE = { ...GOOGLE, id: 'apple.com', clientId: 'app' };

test.each([
  [
    { ...GOOGLE, clientId: ' c ' },
    { enabled: true, clientId: 'c' },
  ],
  [
    { ...GOOGLE, clientId: 'c', clientSecret: 's' },
    { enabled: true, clientId: 'c', clientSecret: 's' },
  ],
  [OIDC, { enabled: false, clientId: 'c', issuer: 'https://id.example', displayName: undefined }],
  [
    { ...OIDC, clientSecret: 's', displayName: 'Okta' },
    {
      enabled: false,
      clientId: 'c',
      clientSecret: 's',
      issuer: 'https://id.example',
      displayName: 'Okta',
      responseType: { code: true },
    },
  ],
  [APPLE, { enabled: true, clientId: 'app' }],
  [
    { ...APPLE, teamId: 'T', keyId: 'K', privateKey: 'PEM' },
    {
      enabled: true,
      clientId: 'app',
      appleSignInConfig: { codeFlowConfig: { teamId: 'T', keyId: 'K', privateKey: 'PEM' } },
    },
  ],
  [
    SAML,
    {
      enabled: true,
      displayName: 'Work',
      idpConfig: {
        idpEntityId: 'https://idp.example',
        ssoUrl: 'https://idp.example/sso',
        signRequest: true,
        idpCertificates: [{ x509Certificate: CERTIFICATE }, { x509Certificate: LONG_CERTIFICATE }],
      },
      spConfig: { spEntityId: 'https://app.example' },
    },
  ],
])('[C547] the provider %j is saved as %j', (typed, config) => {
  expect(encodeProvider(typed)).toEqual(config);
});

test.each([
  [GOOGLE, { clientId: 'missing' }],
  [OIDC, {}],
  [
    { ...OIDC, id: 'oidc.', issuer: 'id.example' },
    { id: 'notId', issuer: 'notIssuer' },
  ],
  [SAML, {}],
  [
    { ...GOOGLE, id: 'saml.' },
    {
      id: 'notId',
      idpEntityId: 'empty',
      ssoUrl: 'notSsoUrl',
      certificates: 'noCertificate',
      spEntityId: 'empty',
    },
  ],
])('[C547] the problems of the provider %j are %j', (typed, problems) => {
  expect(checkProvider(typed)).toEqual(problems);
});
