import type { ListedServiceAccount } from '@hearth/core/api/service-account.ts';
import { type FakeResponses, json, jsonLines, requestError } from '../../api/fake-server.fixture.ts';
import type { AddedMember, KeyFile, Member, ProjectKey } from '../../api/project.ts';
import type { ServiceCertificate } from '../../api/providers.ts';
import type { DeadMail, MailPreview, MailStatus, SignInConfig, TestOutcome } from '../../api/settings.ts';
import type { SmsPreview, SmsStatus } from '../../api/sms.ts';
import type { TenantPage } from '../../api/tenants.ts';
import type { ViewFixture } from '../../app/view-test-bed.fixture.tsx';

const ANDROID_KEY = 'A0pN1cVg2rSbcMUBHfXcx2ltX4aS1mEJZbhwNnsxV7k';

const CONFIG: SignInConfig = {
  name: 'projects/demo/config',
  signIn: {
    email: { enabled: true, passwordRequired: true },
    anonymous: { enabled: true },
    allowDuplicateEmails: false,
    phoneNumber: { enabled: true, testPhoneNumbers: { '+16505550100': '123456' } },
    hearth: {
      passkeys: {
        enabled: true,
        rpId: 'example.com',
        userVerification: 'REQUIRED',
        allowAnonymous: true,
        androidKeyHashes: [ANDROID_KEY],
        androidPackages: ['com.example.app'],
        appleAppIds: ['ABCDE12345.com.example.app'],
      },
    },
  },
  client: { permissions: { disabledUserSignup: false, disabledUserDeletion: true } },
  emailPrivacyConfig: { enableImprovedEmailPrivacy: true },
  authorizedDomains: ['app.example.com', '*.preview.example.com'],
  passwordPolicyConfig: {
    passwordPolicyEnforcementState: 'ENFORCE',
    forceUpgradeOnSignin: false,
    refuseCommonPasswords: true,
    passwordPolicyVersions: [
      {
        customStrengthOptions: {
          minPasswordLength: 10,
          maxPasswordLength: 64,
          containsNumericCharacter: true,
        },
      },
    ],
  },
  smsRegionConfig: { allowlistOnly: { allowedRegions: ['DE', 'US'] } },
  mfa: {
    state: 'ENABLED',
    enabledProviders: ['PHONE_SMS'],
    providerConfigs: [{ state: 'ENABLED', totpProviderConfig: { adjacentIntervals: 1 } }],
  },
  appCheckConfig: {
    accounts: 'ENFORCED',
    database: 'OFF',
    apps: ['1:1234:web:abcd'],
    limitedUse: ['accounts:signUp'],
  },
  recaptchaConfig: {
    emailPasswordEnforcementState: 'AUDIT',
    phoneEnforcementState: 'OFF',
    hearth: { cost: 8_000, recaptcha: { siteKey: '6Lc-score', verifierSiteKey: '6Lc-box', minScore: 0.5 } },
  },
  blockingFunctions: {
    triggers: {
      beforeCreate: {
        functionUri: 'https://functions.example.com/before-create',
        updateTime: '2026-05-01T10:00:00.000Z',
      },
    },
  },
  notification: {
    defaultLocale: 'en',
    sendSms: {
      hearth: {
        driver: { type: 'TWILIO', accountSid: 'AC1', from: '+15005550006' },
        appProof: 'REQUIRE',
        perDay: 500,
        limits: { perNumberAndHour: 3 },
        spending: { perDay: 20, prices: { default: 0.1, DE: 0.08 } },
      },
    },
    sendEmail: {
      method: 'CUSTOM_SMTP',
      smtp: {
        senderEmail: 'no-reply@example.com',
        host: 'smtp.example.com',
        port: 587,
        username: 'mailer',
        securityMode: 'START_TLS',
      },
      hearth: { appName: 'Garden', senderName: 'Garden Team', replyTo: 'help@example.com' },
    },
  },
};

/** The configuration after anonymous sign-in was disabled. */
export const CHANGED_CONFIG: SignInConfig = {
  ...CONFIG,
  signIn: { email: { enabled: true, passwordRequired: true }, anonymous: { enabled: false } },
};

const STATUS: MailStatus = {
  waiting: 2,
  oldestAtMs: 1_777_708_000_000,
  dead: 1,
  lastFailure: { atMs: 1_777_708_100_000, reason: '451 4.7.1 Try again later' },
};

const DEAD: readonly DeadMail[] = [
  {
    id: 'm1',
    kind: 'resetPassword',
    to: 'gone@example.org',
    diedAtMs: 1_777_600_000_000,
    attempts: 12,
    reason: '550 5.1.1 No such user',
  },
];

const PREVIEW: MailPreview = {
  from: { name: 'Garden Team', address: 'no-reply@example.com' },
  replyTo: 'help@example.com',
  subject: 'Verify your email for Garden',
  text: 'Hello Alice,\n\nopen this link to verify your email.\n',
  html: '<!doctype html><html lang="en"><body><p>Hello Alice, open this link to verify your email.</p></body></html>',
};

/** Responses to a test mail. */
export const OUTCOMES: Readonly<Record<TestOutcome['outcome'], TestOutcome>> = {
  accepted: { outcome: 'accepted' },
  refused: { outcome: 'refused', reason: '535 5.7.8 Authentication failed' },
};

const MEMBERS: readonly Member[] = [
  {
    uid: 'mia',
    email: 'mia@example.com',
    name: 'Mia Lang',
    role: 'owner',
    addedAtMs: 1_767_261_600_000,
    hasSecondFactor: true,
  },
  {
    uid: 'noor',
    email: 'noor@example.com',
    name: null,
    role: 'editor',
    addedAtMs: 1_775_000_000_000,
    hasSecondFactor: false,
  },
];

const ADDED: AddedMember = {
  uid: 'omar',
  email: 'omar@example.com',
  name: null,
  role: 'viewer',
  addedAtMs: 1_777_708_320_000,
  hasSecondFactor: false,
  mustSetPassword: true,
};

export const API_KEY = 'hearth-9f3kXq27bT';

const KEYS: readonly ProjectKey[] = [{ apiKey: API_KEY, createdAtMs: 1_767_261_600_000 }];

export const SERVICE_ACCOUNTS: readonly ListedServiceAccount[] = [
  {
    email: 'admin@demo.example.com',
    roles: ['identity.viewer', 'database.viewer'],
    isDisabled: false,
    createdAtMs: 1_767_261_600_000,
    keys: [{ keyId: '7f3a90c1', createdAtMs: 1_767_261_600_000 }],
  },
];

const KEY_FILE: KeyFile = { private_key_id: '88aa11bb', client_email: 'admin@demo.example.com' };

/** The certificate of the key for SAML. */
export const SAML_CERTIFICATE: ServiceCertificate = {
  x509Certificate: 'certificate of the key in use',
  expiresAt: '2036-05-01T10:00:00.000Z',
};

const AT = '/api/projects/demo';
const DATABASE = 'demo-default-rtdb';
const PROVIDERS_AT = '/identitytoolkit.googleapis.com/v2/projects/demo';

/** The requests whose fake responses determine the content of the views. */
export const ROUTES = {
  config: 'GET /identitytoolkit.googleapis.com/v2/projects/demo/config',
  changeConfig: 'PATCH /identitytoolkit.googleapis.com/v2/projects/demo/config',
  mail: `GET ${AT}/mail`,
  deadMails: `GET ${AT}/mail/dead`,
  preview: `POST ${AT}/mail/preview`,
  testMail: `POST ${AT}/mail/test`,
  presets: 'GET /identitytoolkit.googleapis.com/v2/defaultSupportedIdps',
  defaultProviders: `GET ${PROVIDERS_AT}/defaultSupportedIdpConfigs`,
  oidcProviders: `GET ${PROVIDERS_AT}/oauthIdpConfigs`,
  samlProviders: `GET ${PROVIDERS_AT}/inboundSamlConfigs`,
  addSamlProvider: `POST ${PROVIDERS_AT}/inboundSamlConfigs`,
  readMetadata: `POST ${PROVIDERS_AT}/inboundSamlConfigs:readMetadata`,
  addOidcProvider: `POST ${PROVIDERS_AT}/oauthIdpConfigs`,
  testProvider: `POST ${PROVIDERS_AT}/identityProviders/google.com:test`,
  removeProvider: `DELETE ${PROVIDERS_AT}/defaultSupportedIdpConfigs/google.com`,
  rotateKey: `POST ${PROVIDERS_AT}/inboundSamlConfigs:rotateKey`,
  testRecaptcha: `POST ${PROVIDERS_AT}/recaptcha:test`,
  testFunction: `POST ${PROVIDERS_AT}/blockingFunctions/beforeCreate:test`,
  passkeys: `GET ${AT}/passkeys`,
  sms: `GET ${AT}/sms`,
  deadSms: `GET ${AT}/sms/dead`,
  resumeCountry: `POST ${AT}/sms/resume`,
  smsPreview: `POST ${AT}/sms/preview`,
  testSms: `POST ${AT}/sms/test`,
  members: `GET ${AT}/members`,
  addMember: `POST ${AT}/members`,
  keys: `GET ${AT}/keys`,
  addKey: `POST ${AT}/keys`,
  serviceAccounts: `GET ${AT}/service-accounts`,
  addServiceKey: `POST ${AT}/service-accounts/admin/keys`,
  changeServiceRoles: `PATCH ${AT}/service-accounts/admin`,
  databases: `GET ${AT}/databases`,
  addDatabase: `POST ${AT}/databases`,
  size: `GET /api/databases/${DATABASE}/size`,
  erase: 'DELETE /.json',
  tenants: `GET ${AT}/tenants`,
  addTenant: `POST ${PROVIDERS_AT}/tenants`,
} as const;

const CONFIGURED: FakeResponses = { [ROUTES.config]: json(CONFIG), [ROUTES.changeConfig]: json(CONFIG) };

const MAIL: FakeResponses = {
  ...CONFIGURED,
  [ROUTES.mail]: json(STATUS),
  [ROUTES.deadMails]: json({ mails: DEAD }),
  [ROUTES.testMail]: json(OUTCOMES.accepted),
};

const PROVIDERS: FakeResponses = {
  ...CONFIGURED,
  [ROUTES.presets]: json({
    defaultSupportedIdps: [
      { idpId: 'google.com', description: 'Google' },
      { idpId: 'github.com', description: 'GitHub' },
    ],
  }),
  [ROUTES.defaultProviders]: json({
    defaultSupportedIdpConfigs: [
      { name: 'projects/demo/defaultSupportedIdpConfigs/google.com', enabled: true, clientId: '123.apps' },
    ],
  }),
  [ROUTES.oidcProviders]: json({
    oauthIdpConfigs: [
      {
        name: 'projects/demo/oauthIdpConfigs/oidc.okta',
        enabled: false,
        displayName: 'Okta',
        clientId: 'garden',
        issuer: 'https://garden.okta.example',
      },
    ],
  }),
  [ROUTES.samlProviders]: json({
    inboundSamlConfigs: [
      {
        name: 'projects/demo/inboundSamlConfigs/saml.work',
        enabled: true,
        idpConfig: { ssoUrl: 'https://idp.example/sso' },
        spConfig: { spCertificates: [SAML_CERTIFICATE] },
      },
    ],
  }),
  [ROUTES.addOidcProvider]: json({}),
  [ROUTES.addSamlProvider]: json({}),
  [ROUTES.readMetadata]: requestError(400, 'INVALID_CONFIG', 'INVALID_CONFIG : It is no metadata.'),
  [ROUTES.removeProvider]: json({}),
  [ROUTES.rotateKey]: json({}),
  [ROUTES.testProvider]: json({
    tests: [
      { name: 'discovery', state: 'ok' },
      { name: 'redirect', state: 'failed', message: 'accounts.google.com rejects the sign-in.' },
    ],
  }),
};

const TEXT_MESSAGES: FakeResponses = {
  ...CONFIGURED,
  [ROUTES.sms]: json<SmsStatus>({
    ...STATUS,
    blocked: null,
    countries: [
      { country: 'DE', accepted: 120, delivered: 118, failed: 1, used: 96, pausedAtMs: null },
      { country: 'LV', accepted: 1_400, delivered: 0, failed: 0, used: 12, pausedAtMs: 1_777_708_100_000 },
    ],
  }),
  [ROUTES.deadSms]: json({
    messages: [{ ...DEAD[0], to: '+4915112345678', reason: 'number: Twilio answered 21211.' }],
  }),
  [ROUTES.smsPreview]: json<SmsPreview>({
    text: '123456 is your verification code for Garden.',
    segments: 1,
    isUnicode: false,
  }),
  [ROUTES.testSms]: json(OUTCOMES.accepted),
  [ROUTES.resumeCountry]: json({}),
};

const TEMPLATES: FakeResponses = {
  ...CONFIGURED,
  [ROUTES.preview]: json(PREVIEW),
  [ROUTES.testMail]: json(OUTCOMES.accepted),
  [ROUTES.mail]: json(STATUS),
};

/** The response with the size of the database. */
export const SIZE = jsonLines([{ kind: 'done', bytes: 2_048, entries: 31 }]);

const DATABASES: FakeResponses = {
  [ROUTES.databases]: json({ databases: [{ name: DATABASE }], next: null }),
  [ROUTES.size]: SIZE,
  [ROUTES.addDatabase]: json({}),
  [ROUTES.erase]: json(null),
};

const TENANTS: FakeResponses = {
  [ROUTES.tenants]: json({
    tenants: [
      {
        id: 'acme-k3x9a2b7',
        displayName: 'Acme',
        isDisabled: false,
        methods: ['password', 'email-link'],
        createdAtMs: 1_767_261_600_000,
      },
      { id: 'old', displayName: '', isDisabled: true, methods: [], createdAtMs: 1_767_261_600_000 },
    ],
    next: null,
    count: 2,
  } satisfies TenantPage),
  [ROUTES.addTenant]: json({}),
};

/** Fixtures of the settings views, by the name of the view or its state. */
export const SETTINGS_FIXTURES = {
  methods: { address: 'sign-in', responses: CONFIGURED, main: ROUTES.config },
  domains: { address: 'sign-in/domains', responses: CONFIGURED, main: ROUTES.config },
  passwords: { address: 'sign-in/passwords', responses: CONFIGURED, main: ROUTES.config },
  secondFactor: { address: 'sign-in/second-factor', responses: CONFIGURED, main: ROUTES.config },
  mail: { address: 'sign-in/mail', responses: MAIL, main: ROUTES.config },
  mailStatus: { address: 'sign-in/mail', responses: MAIL, main: ROUTES.mail },
  deadMails: { address: 'sign-in/mail', responses: MAIL, main: ROUTES.deadMails },
  templates: { address: 'sign-in/templates', responses: TEMPLATES, main: ROUTES.config },
  preview: { address: 'sign-in/templates', responses: TEMPLATES, main: ROUTES.preview },
  passkeys: {
    address: 'sign-in/passkeys',
    responses: { ...CONFIGURED, [ROUTES.passkeys]: json({ count: 1_234, isExact: true }) },
    main: ROUTES.config,
  },
  passkeyCount: {
    address: 'sign-in/passkeys',
    responses: { ...CONFIGURED, [ROUTES.passkeys]: json({ count: 10_000, isExact: false }) },
    main: ROUTES.passkeys,
  },
  providers: { address: 'sign-in/providers', responses: PROVIDERS, main: ROUTES.defaultProviders },
  noProviders: {
    address: 'sign-in/providers',
    responses: {
      ...PROVIDERS,
      [ROUTES.defaultProviders]: json({}),
      [ROUTES.oidcProviders]: json({}),
      [ROUTES.samlProviders]: json({}),
    },
    main: ROUTES.defaultProviders,
  },
  phone: { address: 'sign-in/phone', responses: CONFIGURED, main: ROUTES.config },
  textMessages: { address: 'sign-in/text-messages', responses: TEXT_MESSAGES, main: ROUTES.config },
  smsPreview: { address: 'sign-in/text-messages', responses: TEXT_MESSAGES, main: ROUTES.smsPreview },
  smsStatus: { address: 'sign-in/text-messages', responses: TEXT_MESSAGES, main: ROUTES.sms },
  deadSms: { address: 'sign-in/text-messages', responses: TEXT_MESSAGES, main: ROUTES.deadSms },
  noSms: {
    address: 'sign-in/text-messages',
    responses: {
      ...TEXT_MESSAGES,
      [ROUTES.sms]: json<SmsStatus>({
        waiting: 0,
        dead: 0,
        countries: [],
        blocked: { count: 1_234, isExact: false },
      }),
      [ROUTES.deadSms]: json({ messages: [] }),
    },
    main: ROUTES.sms,
  },
  captcha: {
    address: 'sign-in/captcha',
    responses: {
      ...CONFIGURED,
      [ROUTES.testRecaptcha]: json({ tests: [{ siteKey: '6Lc-score', state: 'ok', message: null }] }),
    },
    main: ROUTES.config,
  },
  appCheck: { address: 'sign-in/app-check', responses: CONFIGURED, main: ROUTES.config },
  functions: {
    address: 'sign-in/functions',
    responses: {
      ...CONFIGURED,
      [ROUTES.testFunction]: json({ outcome: 'allowed', message: null, durationMs: 12 }),
    },
    main: ROUTES.config,
  },
  members: {
    address: 'settings',
    responses: { [ROUTES.members]: json({ members: MEMBERS }), [ROUTES.addMember]: json(ADDED) },
    main: ROUTES.members,
  },
  noMembers: {
    address: 'settings',
    responses: { [ROUTES.members]: json({ members: [] }) },
    main: ROUTES.members,
  },
  keys: {
    address: 'settings/keys',
    responses: { [ROUTES.keys]: json({ keys: KEYS }), [ROUTES.addKey]: json(KEYS[0]) },
    main: ROUTES.keys,
  },
  noKeys: { address: 'settings/keys', responses: { [ROUTES.keys]: json({ keys: [] }) }, main: ROUTES.keys },
  serviceAccounts: {
    address: 'settings/service-accounts',
    responses: {
      [ROUTES.serviceAccounts]: json({ serviceAccounts: SERVICE_ACCOUNTS }),
      [ROUTES.addServiceKey]: json(KEY_FILE),
      [ROUTES.changeServiceRoles]: json({ roles: ['database.admin'] }),
    },
    main: ROUTES.serviceAccounts,
  },
  noServiceAccounts: {
    address: 'settings/service-accounts',
    responses: { [ROUTES.serviceAccounts]: json({ serviceAccounts: [] }) },
    main: ROUTES.serviceAccounts,
  },
  databases: { address: 'settings/databases', responses: DATABASES, main: ROUTES.databases },
  noDatabases: {
    address: 'settings/databases',
    responses: { [ROUTES.databases]: json({ databases: [], next: null }) },
    main: ROUTES.databases,
  },
  tenants: { address: 'settings/tenants', responses: TENANTS, main: ROUTES.tenants },
  noTenants: {
    address: 'settings/tenants',
    responses: { [ROUTES.tenants]: json({ tenants: [], next: null, count: 0 } satisfies TenantPage) },
    main: ROUTES.tenants,
  },
  erase: { address: 'settings/erase', responses: DATABASES, main: ROUTES.databases },
} as const satisfies Readonly<Record<string, ViewFixture>>;
