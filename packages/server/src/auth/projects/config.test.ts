import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { unsignedTokenServices } from '../tokens/unsigned-tokens.ts';
import { DEVELOPMENT_SETTINGS } from './project.ts';

type Body = Readonly<Record<string, unknown>>;

const OWNER = { authorization: 'Bearer owner' };
const URL = '/v2/projects/demo/config';

async function read(client: AuthClient): Promise<Body> {
  return (await client.request('GET', URL, undefined, OWNER)).json;
}

function patch(client: AuthClient, mask: string, config: Body) {
  return client.request('PATCH', `${URL}?updateMask=${mask}`, JSON.stringify(config), OWNER);
}

function settingsOf(client: AuthClient) {
  return client.services.projects.find('demo')?.settings;
}

test('[I300] the configuration contains the settings of a project', async () => {
  const client = await AuthClient.open();
  expect(await read(client)).toEqual({
    name: expect.stringMatching(/^projects\/\d{12}\/config$/),
    signIn: {
      email: { enabled: true, passwordRequired: false },
      anonymous: { enabled: true },
      phoneNumber: { enabled: true, testPhoneNumbers: {} },
      hearth: {
        passkeys: {
          enabled: true,
          userVerification: 'REQUIRED',
          allowAnonymous: true,
          androidKeyHashes: [],
          androidPackages: [],
          appleAppIds: [],
        },
      },
      allowDuplicateEmails: false,
    },
    client: { permissions: { disabledUserSignup: false, disabledUserDeletion: false } },
    emailPrivacyConfig: {},
    authorizedDomains: ['localhost', '127.0.0.1', '::1'],
    passwordPolicyConfig: expect.objectContaining({ passwordPolicyEnforcementState: 'OFF' }),
    mfa: {
      state: 'ENABLED',
      enabledProviders: ['PHONE_SMS'],
      providerConfigs: [{ state: 'ENABLED', totpProviderConfig: { adjacentIntervals: 5 } }],
    },
    smsRegionConfig: { allowByDefault: { disallowedRegions: [] } },
    notification: {
      defaultLocale: 'en',
      sendEmail: { callbackUri: '', method: 'DEFAULT' },
      sendSms: { hearth: { driver: { type: 'LOG' }, appProof: 'REQUIRE', perDay: 500 } },
    },
    appCheckConfig: { accounts: 'OFF', database: 'OFF', apps: [] },
    recaptchaConfig: {
      emailPasswordEnforcementState: 'OFF',
      phoneEnforcementState: 'OFF',
      hearth: { cost: 4_000 },
    },
  });
  const other = await client.request('GET', '/admin/v2/projects/demo/config', undefined, OWNER);
  expect(other.json).toEqual(await read(client));
});

test.each<readonly [string, Body]>([
  ['signIn.email.enabled', { signIn: { email: { enabled: false } } }],
  ['signIn.email.password_required', { sign_in: { email: { password_required: true } } }],
  [
    'signIn.anonymous.enabled,signIn.allowDuplicateEmails',
    { signIn: { anonymous: { enabled: false }, allowDuplicateEmails: true } },
  ],
  [
    'client.permissions',
    { client: { permissions: { disabledUserSignup: true, disabledUserDeletion: true } } },
  ],
  ['emailPrivacyConfig', { emailPrivacyConfig: { enableImprovedEmailPrivacy: true } }],
  ['authorizedDomains', { authorizedDomains: ['app.example.com', '*.example.com', '192.0.2.1'] }],
  ['mfa.state', { mfa: { state: 'MANDATORY' } }],
  ['mfa.enabledProviders', { mfa: { enabledProviders: [] } }],
  [
    'signIn.phoneNumber',
    { signIn: { phoneNumber: { enabled: false, testPhoneNumbers: { '+16505550101': '123456' } } } },
  ],
  ['smsRegionConfig', { smsRegionConfig: { allowlistOnly: { allowedRegions: ['DE', 'FR'] } } }],
  [
    'notification.sendSms.hearth',
    {
      notification: {
        sendSms: {
          hearth: {
            appProof: 'THROTTLED',
            perDay: 20,
            templates: { de: 'Code: %CODE%' },
            factorUse: 'RECOVERY',
          },
        },
      },
    },
  ],
  [
    'notification.sendSms.hearth.limits,notification.sendSms.hearth.spending,notification.sendSms.hearth.rejectsVoip',
    {
      notification: {
        sendSms: {
          hearth: {
            limits: { perNumberAndDay: 3, pauseSeconds: 60 },
            spending: { perDay: 12.5, prices: { default: 0.1, DE: 0.075 } },
            rejectsVoip: true,
          },
        },
      },
    },
  ],
  [
    'mfa.providerConfigs',
    { mfa: { providerConfigs: [{ state: 'DISABLED', totpProviderConfig: { adjacentIntervals: 2 } }] } },
  ],
  ['notification.defaultLocale', { notification: { defaultLocale: 'de' } }],
  [
    'notification.sendEmail.callbackUri',
    { notification: { sendEmail: { callbackUri: 'https://app.example.com/x' } } },
  ],
  [
    'passwordPolicyConfig.passwordPolicyEnforcementState',
    { passwordPolicyConfig: { passwordPolicyEnforcementState: 'ENFORCE' } },
  ],
])('[I301] an update of %s changes nothing else', async (mask, config) => {
  const client = await AuthClient.open();
  const before = await read(client);
  const { status, json } = await patch(client, mask, config);
  expect(status).toBe(200);
  expect(json).toMatchObject(
    'sign_in' in config ? { signIn: { email: { passwordRequired: true } } } : config,
  );
  expect(await read(client)).toEqual(json);
  const root = mask.split('.')[0] ?? '';
  const { [root]: _changed, ...rest } = json;
  expect(before).toMatchObject(rest);
});

test('[I301] the next request uses the new settings, and a field that is in the mask but not in the body keeps its value', async () => {
  const client = await AuthClient.open();
  await patch(client, 'signIn.email.enabled,mfa', { signIn: { email: { enabled: false } } });
  const answer = await client.post('accounts:signUp', { email: 'ann@example.com', password: 'password' });
  expect(answer.error).toBe('OPERATION_NOT_ALLOWED');
  expect(await read(client)).toMatchObject({ mfa: { state: 'ENABLED' } });
});

test('[I304] `smsRegionConfig` keeps only the list that was set last', async () => {
  const client = await AuthClient.open();
  const denied = { allowByDefault: { disallowedRegions: ['AC'] } };
  const allowed = { allowlistOnly: { allowedRegions: ['AD'] } };
  await patch(client, 'smsRegionConfig.allowByDefault.disallowedRegions', { smsRegionConfig: denied });
  const nested = 'smsRegionConfig.allowlistOnly.allowedRegions';
  expect((await patch(client, nested, { smsRegionConfig: allowed })).json['smsRegionConfig']).toEqual(
    allowed,
  );
  const back = await patch(client, 'smsRegionConfig', { smsRegionConfig: denied });
  expect(back.json['smsRegionConfig']).toEqual(denied);
  const both = await patch(client, 'smsRegionConfig', { smsRegionConfig: { ...denied, ...allowed } });
  expect(both.error).toBe(
    'INVALID_CONFIG : smsRegionConfig can contain only one of allowByDefault and allowlistOnly.',
  );
});

test('[I300] `emailPrivacyConfig` is empty while email enumeration protection is off', async () => {
  const client = await AuthClient.open();
  const mask = 'emailPrivacyConfig.enableImprovedEmailPrivacy';
  for (const isPrivate of [true, false]) {
    const config = { emailPrivacyConfig: { enableImprovedEmailPrivacy: isPrivate } };
    const { json } = await patch(client, mask, config);
    expect(json['emailPrivacyConfig']).toEqual(isPrivate ? config.emailPrivacyConfig : {});
    // Sent back as a whole configuration, the response produces the same settings.
    await patch(client, '', json);
    expect(settingsOf(client)?.isEmailPrivate).toBe(isPrivate);
  }
});

test('[I302] an update without a mask replaces everything that a configuration can contain', async () => {
  const client = await AuthClient.open();
  await client.settings((settings) => ({ ...settings, areDomainsExact: true }));
  await patch(client, 'signIn,authorizedDomains', {
    signIn: { allowDuplicateEmails: true },
    authorizedDomains: ['x.example.com'],
  });
  const { json } = await patch(client, '', { emailPrivacyConfig: { enableImprovedEmailPrivacy: true } });
  expect(json).toMatchObject({
    signIn: { allowDuplicateEmails: false },
    emailPrivacyConfig: { enableImprovedEmailPrivacy: true },
  });
  expect(settingsOf(client)).toEqual({
    ...DEVELOPMENT_SETTINGS,
    isEmailPrivate: true,
    areDomainsExact: true,
  });
});

test('[I302] outside development mode, fields that are not given get strict values', async () => {
  const client = await AuthClient.open(unsignedTokenServices, { isDevelopment: false });
  const { json } = await patch(client, '', {});
  expect(json).toMatchObject({
    signIn: { email: { passwordRequired: true }, anonymous: { enabled: false } },
    emailPrivacyConfig: { enableImprovedEmailPrivacy: true },
    authorizedDomains: [],
  });
});

test.each<readonly [string, Body, string]>([
  ['nonsense', { nonsense: 1 }, 'INVALID_CONFIG : nonsense is not a setting of this server.'],
  ['', { nonsense: { a: 1 } }, 'INVALID_CONFIG : nonsense.a is not a setting of this server.'],
  [
    'signIn.email.enabled',
    { signIn: { email: { enabled: 1 } } },
    'INVALID_CONFIG : signIn.email.enabled must be true or false.',
  ],
  [
    'authorizedDomains',
    { authorizedDomains: ['https://x.example.com'] },
    'INVALID_CONFIG : authorizedDomains must be a list',
  ],
  [
    'mfa',
    { mfa: { state: 'SOMETIMES' } },
    'INVALID_CONFIG : mfa.state must be one of DISABLED, ENABLED, MANDATORY.',
  ],
  [
    'mfa',
    { mfa: { providerConfigs: [{ totpProviderConfig: { adjacentIntervals: 11 } }] } },
    'INVALID_CONFIG : mfa.providerConfigs',
  ],
  [
    'passwordPolicyConfig',
    { passwordPolicyConfig: { passwordPolicyVersions: [] } },
    'INVALID_CONFIG : passwordPolicyVersions',
  ],
  [
    'notification',
    { notification: { sendEmail: { smtp: { host: 'x' } } } },
    'INVALID_CONFIG : notification.sendEmail.smtp: "senderEmail" must',
  ],
  [
    'notification',
    { notification: { defaultLocale: '?' } },
    'INVALID_CONFIG : notification.defaultLocale must be a language',
  ],
  [
    'notification',
    { notification: { sendEmail: { callbackUri: 'x:y' } } },
    'INVALID_CONFIG : notification.sendEmail.callbackUri',
  ],
  [
    'notification',
    { notification: { sendEmail: { callbackUri: 'http://app.example.com/x' } } },
    'INVALID_CONFIG : notification.sendEmail.callbackUri must be an https address',
  ],
  ['mfa', { mfa: { enabledProviders: ['PHONE'] } }, 'INVALID_CONFIG : mfa.enabledProviders'],
  [
    'signIn',
    { signIn: { phoneNumber: { testPhoneNumbers: { '+16505550101': '12345' } } } },
    'INVALID_TESTING_PHONE_NUMBER : ',
  ],
  [
    'signIn',
    { signIn: { phoneNumber: { testPhoneNumbers: { '0650': '123456' } } } },
    'INVALID_TESTING_PHONE_NUMBER : ',
  ],
  [
    'signIn',
    {
      signIn: {
        phoneNumber: {
          testPhoneNumbers: Object.fromEntries(
            Array.from({ length: 11 }, (_, index) => [`+1650555${1_000 + index}`, '123456']),
          ),
        },
      },
    },
    'INVALID_TESTING_PHONE_NUMBER : ',
  ],
  [
    'smsRegionConfig',
    { smsRegionConfig: { allowlistOnly: { allowedRegions: ['Germany'] } } },
    'INVALID_CONFIG : smsRegionConfig must be an object with a list "allowedRegions"',
  ],
  [
    'notification',
    { notification: { sendSms: { hearth: { driver: { type: 'PIGEON' } } } } },
    'INVALID_CONFIG : notification.sendSms.hearth.driver.type must be one of',
  ],
  [
    'notification',
    { notification: { sendSms: { hearth: { driver: { type: 'WEBHOOK', url: 'http://x.example/' } } } } },
    'INVALID_CONFIG : notification.sendSms.hearth.driver.url must be an https address',
  ],
  [
    'notification',
    { notification: { sendSms: { hearth: { driver: { type: 'VONAGE', apiKey: 'k', from: 'us' } } } } },
    'INVALID_CONFIG : notification.sendSms.hearth.driver.secret must be given',
  ],
  [
    'notification',
    { notification: { sendSms: { hearth: { driver: { type: 'VONAGE', password: 'x' } } } } },
    'INVALID_CONFIG : notification.sendSms.hearth.driver: password is not a setting of this driver.',
  ],
  [
    'notification',
    { notification: { sendSms: { hearth: { templates: { en: 'no code' } } } } },
    'INVALID_CONFIG : notification.sendSms.hearth.templates: en: The text needs %CODE%.',
  ],
  [
    'notification',
    { notification: { sendSms: { hearth: { perDay: -1 } } } },
    'INVALID_CONFIG : notification.sendSms.hearth.perDay must be a whole number',
  ],
  [
    'notification',
    { notification: { sendSms: { hearth: { limits: { perMinute: 1 } } } } },
    'INVALID_CONFIG : notification.sendSms.hearth.limits: perMinute is not a limit.',
  ],
  [
    'notification',
    { notification: { sendSms: { hearth: { limits: { pauseSeconds: 3_601 } } } } },
    'INVALID_CONFIG : notification.sendSms.hearth.limits.pauseSeconds must be a whole number from 0 to 3600.',
  ],
  [
    'notification',
    { notification: { sendSms: { hearth: { spending: { perDay: 1, prices: { DE: 1 } } } } } },
    'INVALID_CONFIG : notification.sendSms.hearth.spending.prices must be an object with the price',
  ],
  [
    'notification',
    { notification: { sendSms: { hearth: { spending: { perDay: 1, prices: { default: 1, de: 1 } } } } } },
    'INVALID_CONFIG : notification.sendSms.hearth.spending.prices: de is not a country',
  ],
  [
    'notification',
    { notification: { sendSms: { hearth: { spending: { perDay: '1', prices: { default: 1 } } } } } },
    'INVALID_CONFIG : notification.sendSms.hearth.spending.perDay must be an amount from 0 to 1000000.',
  ],
  [
    'recaptchaConfig',
    { recaptchaConfig: { phoneEnforcementState: 'ON' } },
    'INVALID_RECAPTCHA_ENFORCEMENT_STATE : Use one of OFF, AUDIT, ENFORCE.',
  ],
  [
    'recaptchaConfig',
    { recaptchaConfig: { managedRules: [{ endScore: 0.1, action: 'LOG' }] } },
    'INVALID_RECAPTCHA_ACTION : The action of a rule must be BLOCK.',
  ],
  [
    'recaptchaConfig',
    { recaptchaConfig: { hearth: { cost: 1 } } },
    'INVALID_CONFIG : recaptchaConfig.hearth.cost must be a whole number from 2000 to 200000.',
  ],
  [
    'blockingFunctions',
    { blockingFunctions: { triggers: { afterAll: { functionUri: 'https://x.example' } } } },
    'INVALID_BLOCKING_FUNCTION : This server has no event',
  ],
  [
    'blockingFunctions',
    { blockingFunctions: { triggers: { beforeCreate: { functionUri: 'x' } } } },
    'INVALID_BLOCKING_FUNCTION : blockingFunctions.triggers.beforeCreate.functionUri must be an https address.',
  ],
  ['autodeleteAnonymousUsers', { autodeleteAnonymousUsers: true }, 'INVALID_CONFIG : This server does not'],
  ['a..b', {}, 'INVALID_ARGUMENT : '],
])('[I303] an update of "%s" to %j is rejected', async (mask, config, error) => {
  const client = await AuthClient.open();
  const before = await read(client);
  const answer = await patch(client, mask, config);
  expect(answer.status).toBe(400);
  expect(answer.error).toContain(error);
  expect(await read(client)).toEqual(before);
});

test('[I304] settings without an effect are stored and returned', async () => {
  const client = await AuthClient.open();
  const config = {
    smsRegionConfig: { allowByDefault: { disallowedRegions: ['AC'] } },
    recaptchaConfig: {
      emailPasswordEnforcementState: 'AUDIT',
      managedRules: [{ endScore: 0.1, action: 'BLOCK' }],
    },
    mfa: { state: 'ENABLED', enabledProviders: ['PHONE_SMS'] },
    mobileLinksConfig: { domain: 'HOSTING_DOMAIN' },
    blockingFunctions: { forwardInboundCredentials: { idToken: true } },
  };
  const { json } = await patch(client, Object.keys(config).join(','), config);
  expect(json).toMatchObject(config);
  await patch(client, 'mfa.state', { mfa: { state: 'DISABLED' } });
  expect(await read(client)).toMatchObject({
    ...config,
    mfa: { state: 'DISABLED', enabledProviders: ['PHONE_SMS'] },
  });
});

test('[I305] initializeAuth answers {}, even when it is called twice', async () => {
  const client = await AuthClient.open();
  for (let time = 0; time < 2; time += 1)
    expect(await client.admin('/v2/projects/demo/identityPlatform:initializeAuth')).toMatchObject({
      status: 200,
      text: '{}',
    });
});

test('[I306] the audit log records which settings changed', async () => {
  const client = await AuthClient.open();
  await patch(client, 'mfa.state,smsRegionConfig', {
    mfa: { state: 'MANDATORY' },
    smsRegionConfig: { allowlistOnly: {} },
  });
  expect(client.audited).toEqual([
    expect.objectContaining({
      event: 'config_changed',
      actor: 'owner',
      detail: 'mfa.state, smsRegionConfig',
    }),
  ]);
});

test('[I317] administrators can read and change the configuration of a disabled project', async () => {
  const client = await AuthClient.open();
  await client.settings((settings) => ({ ...settings, isDisabled: true }));
  expect((await patch(client, 'mfa.state', { mfa: { state: 'MANDATORY' } })).status).toBe(200);
  expect(await read(client)).toMatchObject({ mfa: { state: 'MANDATORY' } });
  expect((await client.request('GET', URL)).status).toBe(401);
});

const EMULATOR = '/emulator/v1/projects/demo';

test('[I315] in development mode, the emulator API deletes all accounts', async () => {
  const client = await AuthClient.open();
  const { refreshToken } = await client.signUp();
  expect((await client.request('DELETE', `${EMULATOR}/accounts`)).json).toEqual({});
  const count = await client.admin('projects/demo/accounts:query', { returnUserInfo: false });
  expect(count.json).toEqual({ recordsCount: '0' });
  const refreshed = await client.refresh(refreshToken);
  expect(refreshed.status).toBe(400);
  expect((await client.signUp())['localId']).toBeTruthy();
});

test('[I315] in development mode, the emulator API reads and changes its two settings', async () => {
  const client = await AuthClient.open();
  const send = async (config?: Body) => {
    const method = config === undefined ? 'GET' : 'PATCH';
    return (await client.request(method, `${EMULATOR}/config`, config && JSON.stringify(config))).json;
  };
  const expected = (allowDuplicateEmails: boolean, enableImprovedEmailPrivacy: boolean) => ({
    signIn: { allowDuplicateEmails },
    emailPrivacyConfig: { enableImprovedEmailPrivacy },
  });
  expect(await send()).toEqual(expected(false, false));
  expect(await send({ signIn: { allowDuplicateEmails: true } })).toEqual(expected(true, false));
  expect(await send({ emailPrivacyConfig: { enableImprovedEmailPrivacy: true } })).toEqual(
    expected(true, true),
  );
  expect(await send(expected(false, false))).toEqual(expected(false, false));
  expect(await send()).toEqual(expected(false, false));
});

test.each<readonly [string, string]>([
  ['DELETE', `${EMULATOR}/accounts`],
  ['GET', `${EMULATOR}/config`],
  ['PATCH', `${EMULATOR}/config`],
])('[I316] %s %s exists only in development mode', async (method, url) => {
  const client = await AuthClient.open(unsignedTokenServices, { isDevelopment: false });
  expect((await client.request(method, url, method === 'PATCH' ? '{}' : undefined, OWNER)).status).toBe(404);
});

test.each([
  'http://localhost:5173/x',
  'http://127.0.0.1/',
  'http://[::1]:8080/',
  'https://app.example.com/x',
])('[I580] the page that emails link to may be at %s', async (callbackUri) => {
  const client = await AuthClient.open();
  const { json } = await patch(client, 'notification.sendEmail.callbackUri', {
    notification: { sendEmail: { callbackUri } },
  });
  expect(json).toMatchObject({ notification: { sendEmail: { callbackUri } } });
});

test.each([
  'http://localhost.example.com/',
  'http://192.168.1.5/',
  'http://127.0.0.1@example.com/',
  'ftp://localhost/',
])('[I580] the page that emails link to may not be at %s', async (callbackUri) => {
  const client = await AuthClient.open();
  const answer = await patch(client, 'notification.sendEmail.callbackUri', {
    notification: { sendEmail: { callbackUri } },
  });
  expect(answer.error).toContain('INVALID_CONFIG : notification.sendEmail.callbackUri');
});

test('[I886] challenges are enforced as firebase-admin sets it, and members without an effect stay', async () => {
  const client = await AuthClient.open();
  const recaptchaConfig = {
    emailPasswordEnforcementState: 'ENFORCE',
    phoneEnforcementState: 'AUDIT',
    managedRules: [{ endScore: 0.1, action: 'BLOCK' }],
    useAccountDefender: true,
    useSmsBotScore: true,
    useSmsTollFraudProtection: true,
    tollFraudManagedRules: [{ startScore: 0.9, action: 'BLOCK' }],
  };
  await patch(client, 'recaptchaConfig', { recaptchaConfig });
  const keys = { recaptchaKeys: [{ type: 'WEB', key: 'projects/demo/keys/x' }] };
  const cost = { hearth: { cost: 20_000 } };
  await patch(client, 'recaptchaConfig.recaptchaKeys,recaptchaConfig.hearth.cost', {
    recaptchaConfig: { ...keys, ...cost },
  });
  expect(await read(client)).toMatchObject({ recaptchaConfig: { ...recaptchaConfig, ...cost } });
  expect(settingsOf(client)?.captcha).toEqual({ emailPassword: 'ENFORCE', phone: 'AUDIT', cost: 20_000 });
  const unspecified = 'RECAPTCHA_PROVIDER_ENFORCEMENT_STATE_UNSPECIFIED';
  await patch(client, 'recaptchaConfig.emailPasswordEnforcementState', {
    recaptchaConfig: { emailPasswordEnforcementState: unspecified },
  });
  expect(settingsOf(client)?.captcha.emailPassword).toBe('OFF');
});
