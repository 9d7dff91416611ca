import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { listCodes, listMails } from './mailed-codes.fixture.ts';

const EMAIL = 'ann@example.com';
const KIND = 'identitytoolkit#GetOobConfirmationCodeResponse';

type Body = Readonly<Record<string, unknown>>;

const send = (client: AuthClient, body: Body) => client.post('accounts:sendOobCode', body);

test.each([
  ['VERIFY_EMAIL', {}, EMAIL, 'verifyEmail'],
  ['PASSWORD_RESET', { email: 'ANN@Example.com' }, EMAIL, 'resetPassword'],
  ['EMAIL_SIGNIN', { email: 'Bob@example.com' }, 'bob@example.com', 'emailSignIn'],
  ['VERIFY_AND_CHANGE_EMAIL', { newEmail: 'Ann@else.example' }, EMAIL, 'changeEmail'],
])('[I330] a mail is sent for %s', async (requestType, body, email, kind) => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp(EMAIL);
  const token = 'email' in body ? {} : { idToken };
  const { status, json } = await send(client, { requestType, ...token, ...body });
  expect(status).toBe(200);
  expect(json).toEqual({ kind: KIND, email });
  const [code] = await listCodes(client);
  expect(code).toMatchObject({ email, requestType });
  const to = 'newEmail' in body ? 'ann@else.example' : email;
  expect(listMails(client)).toEqual([expect.objectContaining({ to, kind, link: code?.oobLink })]);
});

test.each([
  ['/v1/accounts:sendOobCode', 1, 'PASSWORD_RESET'],
  ['/v1/accounts:sendOobCode', 6, 'EMAIL_SIGNIN'],
  ['/identitytoolkit/v3/relyingparty/getOobConfirmationCode', 1, 'PASSWORD_RESET'],
])('[I9] at %s, the number %i as requestType means %s', async (path, requestType, name) => {
  const client = await AuthClient.open();
  await client.signUp(EMAIL);
  const body = JSON.stringify({ requestType, email: EMAIL });
  expect((await client.request('POST', `${path}?key=k`, body)).status).toBe(200);
  expect(await listCodes(client)).toEqual([expect.objectContaining({ requestType: name })]);
});

test.each<[Body, string]>([
  [{}, 'MISSING_REQ_TYPE'],
  [{ requestType: 'OOB_REQ_TYPE_UNSPECIFIED' }, 'MISSING_REQ_TYPE'],
  [{ requestType: 0 }, 'MISSING_REQ_TYPE'],
  [{ requestType: 'RECOVER_EMAIL' }, 'INVALID_REQ_TYPE'],
  [{ requestType: 'OLD_EMAIL_AGREE' }, 'INVALID_REQ_TYPE'],
  [{ requestType: 'SOMETHING' }, 'INVALID_REQ_TYPE'],
  [{ requestType: 'VERIFY_EMAIL', returnOobLink: true }, 'INSUFFICIENT_PERMISSION'],
  [{ requestType: 'PASSWORD_RESET' }, 'MISSING_EMAIL'],
  [{ requestType: 'PASSWORD_RESET', email: '' }, 'INVALID_EMAIL'],
  [{ requestType: 'PASSWORD_RESET', email: 'ann' }, 'INVALID_EMAIL'],
  [{ requestType: 'PASSWORD_RESET', email: 'bob@example.com' }, 'EMAIL_NOT_FOUND'],
  [{ requestType: 'EMAIL_SIGNIN' }, 'MISSING_EMAIL'],
  [{ requestType: 'EMAIL_SIGNIN', email: 'ann@' }, 'INVALID_EMAIL'],
  [{ requestType: 'VERIFY_EMAIL' }, 'INVALID_ID_TOKEN'],
  [{ requestType: 'VERIFY_EMAIL', email: EMAIL }, 'INVALID_ID_TOKEN'],
  [{ requestType: 'VERIFY_EMAIL', idToken: 'nonsense' }, 'INVALID_ID_TOKEN'],
  [{ requestType: 'VERIFY_AND_CHANGE_EMAIL', newEmail: 'a@b.example' }, 'MISSING_ID_TOKEN'],
])('[I331] the request %j is rejected with %s', async (body, error) => {
  const client = await AuthClient.open();
  await client.signUp(EMAIL);
  expect((await send(client, body)).error).toBe(error);
  expect(listMails(client)).toEqual([]);
});

test.each<[Body, string]>([
  [{}, 'MISSING_NEW_EMAIL'],
  [{ newEmail: 'ann' }, 'INVALID_NEW_EMAIL'],
  [{ newEmail: EMAIL }, 'EMAIL_EXISTS'],
  [{ newEmail: 'bob@example.com' }, 'EMAIL_EXISTS'],
])('[I331] a change of address with %j is rejected with %s', async (body, error) => {
  const client = await AuthClient.open();
  await client.signUp('bob@example.com');
  const { idToken } = await client.signUp(EMAIL);
  expect((await send(client, { requestType: 'VERIFY_AND_CHANGE_EMAIL', idToken, ...body })).error).toBe(
    error,
  );
});

test('[I331] a user without an address, or without a recent sign-in, cannot change the address', async () => {
  const client = await AuthClient.open();
  const anonymous = await client.post('accounts:signUp');
  const ann = await client.signUp(EMAIL);
  const change = (idToken: unknown) =>
    send(client, { requestType: 'VERIFY_AND_CHANGE_EMAIL', idToken, newEmail: 'new@example.com' });
  expect((await change(anonymous.json['idToken'])).error).toBe('MISSING_EMAIL');
  const verify = { requestType: 'VERIFY_EMAIL', idToken: anonymous.json['idToken'] };
  expect((await send(client, verify)).error).toBe('MISSING_EMAIL');
  client.clock.ms += 301_000;
  expect((await change(ann['idToken'])).error).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN');
});

test.each(['PASSWORD_RESET', 'EMAIL_SIGNIN', 'VERIFY_EMAIL', 'VERIFY_AND_CHANGE_EMAIL'])(
  '[I331] a request for %s is rejected if the account is disabled',
  async (requestType) => {
    const client = await AuthClient.open();
    const { idToken, localId } = await client.signUp(EMAIL);
    await client.admin('accounts:update', { localId, disableUser: true });
    const body = { requestType, email: EMAIL, newEmail: 'new@example.com' };
    expect((await send(client, { ...body, idToken })).error).toBe('USER_DISABLED');
    expect((await client.admin('accounts:sendOobCode', { ...body, returnOobLink: true })).error).toBe(
      'USER_DISABLED',
    );
  },
);

test('[I331] codes for sign-in methods that the project does not offer are rejected', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp(EMAIL);
  await client.settings((settings) => ({
    ...settings,
    signIn: { ...settings.signIn, isEmailEnabled: false, isEmailLinkEnabled: false },
  }));
  for (const more of [{ email: EMAIL }, {}, { email: EMAIL, continueUrl: 'nonsense' }])
    expect((await send(client, { requestType: 'EMAIL_SIGNIN', ...more })).error).toBe(
      'OPERATION_NOT_ALLOWED',
    );
  expect((await send(client, { requestType: 'PASSWORD_RESET', email: EMAIL })).json).toMatchObject({
    email: EMAIL,
  });
  await client.settings((settings) => ({ ...settings, isDisabled: true }));
  expect((await send(client, { requestType: 'VERIFY_EMAIL', idToken })).error).toBe('PROJECT_DISABLED');
});

test.each([
  ['VERIFY_EMAIL', { email: EMAIL }],
  ['PASSWORD_RESET', { email: EMAIL }],
  ['EMAIL_SIGNIN', { email: EMAIL }],
  ['VERIFY_AND_CHANGE_EMAIL', { email: EMAIL, newEmail: 'new@example.com' }],
])('[I332] an administrator gets the link for %s, and no mail is sent', async (requestType, body) => {
  const client = await AuthClient.open();
  await client.signUp(EMAIL);
  for (const method of ['accounts:sendOobCode', 'projects/demo/accounts:sendOobCode']) {
    const { json } = await client.admin(method, { requestType, ...body, returnOobLink: true });
    const [code] = (await listCodes(client)).slice(-1);
    expect(json).toEqual({ kind: KIND, email: EMAIL, oobCode: code?.oobCode, oobLink: code?.oobLink });
  }
  expect(listMails(client)).toEqual([]);
});

test('[I332] an administrator may name the account by an ID token, and a mail is sent unless the link is requested', async () => {
  const client = await AuthClient.open();
  const { idToken } = await client.signUp(EMAIL);
  const body = { requestType: 'VERIFY_EMAIL', idToken };
  const { json } = await client.admin('accounts:sendOobCode', { ...body, returnOobLink: true });
  expect(json).toMatchObject({ email: EMAIL, oobCode: expect.any(String) });
  expect(listMails(client)).toEqual([]);
  expect((await client.admin('accounts:sendOobCode', body)).json).toEqual({ kind: KIND, email: EMAIL });
  expect(listMails(client)).toHaveLength(1);
});

test.each<[Body, string]>([
  [{ requestType: 'VERIFY_EMAIL' }, 'MISSING_EMAIL'],
  [{ requestType: 'VERIFY_EMAIL', email: 'bob@example.com' }, 'USER_NOT_FOUND'],
  [{ requestType: 'VERIFY_AND_CHANGE_EMAIL', newEmail: 'new@example.com' }, 'MISSING_EMAIL'],
  [{ requestType: 'VERIFY_AND_CHANGE_EMAIL', email: EMAIL }, 'MISSING_NEW_EMAIL'],
  [
    { requestType: 'VERIFY_AND_CHANGE_EMAIL', email: 'bob@example.com', newEmail: 'new@example.com' },
    'USER_NOT_FOUND',
  ],
  [{ requestType: 'PASSWORD_RESET', email: 'bob@example.com' }, 'EMAIL_NOT_FOUND'],
])(
  '[I332] the request %j of an administrator is rejected with %s, also with email enumeration protection',
  async (body, error) => {
    const client = await AuthClient.open();
    await client.signUp(EMAIL);
    await client.settings((settings) => ({ ...settings, isEmailPrivate: true }));
    expect((await client.admin('accounts:sendOobCode', { ...body, returnOobLink: true })).error).toBe(error);
  },
);

test('[I332] the link for an administrator has a key of the project', async () => {
  const client = await AuthClient.open();
  const linkOf = async (project: string) => {
    const body = { requestType: 'EMAIL_SIGNIN', email: EMAIL, returnOobLink: true };
    const { json } = await client.admin(`projects/${project}/accounts:sendOobCode`, body);
    return new URL(String(json['oobLink'])).searchParams.get('apiKey');
  };
  const { settings } = client.services.projects.find('demo') ?? {};
  if (settings === undefined) throw new Error('The project does not exist.');
  const { apiKey } = await client.services.projects.create('other', settings);
  expect(await linkOf('other')).toBe(apiKey);
  expect(await linkOf('demo')).toBe('fake-api-key');
});

async function openPrivate(): Promise<{ readonly client: AuthClient; readonly idToken: unknown }> {
  const client = await AuthClient.open();
  const { localId } = await client.signUp('disabled@example.com');
  await client.admin('accounts:update', { localId, disableUser: true });
  await client.signUp('bob@example.com');
  const { idToken } = await client.signUp(EMAIL);
  await client.settings((settings) => ({ ...settings, isEmailPrivate: true }));
  return { client, idToken };
}

test.each(['nobody@example.com', 'disabled@example.com'])(
  '[I333] with email enumeration protection, a password reset for %s gets the usual response, and no mail is sent',
  async (email) => {
    const { client } = await openPrivate();
    const { status, json } = await send(client, { requestType: 'PASSWORD_RESET', email });
    expect(status).toBe(200);
    expect(json).toEqual({ kind: KIND, email });
    expect(listMails(client)).toEqual([]);
  },
);

test('[I333] with email enumeration protection, a sign-in mail for a disabled account gets the usual response', async () => {
  const { client } = await openPrivate();
  const email = 'disabled@example.com';
  expect((await send(client, { requestType: 'EMAIL_SIGNIN', email })).json).toEqual({ kind: KIND, email });
  expect(listMails(client)).toEqual([]);
});

test('[I333] the owner of a requested address gets a mail, and the response does not reveal that the address is taken', async () => {
  const { client, idToken } = await openPrivate();
  const codeRequest = { requestType: 'VERIFY_AND_CHANGE_EMAIL', idToken, newEmail: 'bob@example.com' };
  expect((await send(client, codeRequest)).json).toEqual({ kind: KIND, email: EMAIL });
  expect(listMails(client)).toEqual([
    expect.objectContaining({ to: 'bob@example.com', kind: 'emailInUse', project: 'demo' }),
  ]);
  expect(await listCodes(client)).toEqual([]);
});

test('[I334] a link contains the mode, the code, the API key, the continue URL and the language', async () => {
  const client = await AuthClient.open();
  await client.signUp(EMAIL);
  await client.request(
    'POST',
    '/v1/accounts:sendOobCode?key=some-key',
    JSON.stringify({
      requestType: 'PASSWORD_RESET',
      email: EMAIL,
      continueUrl: 'http://localhost:5173/a?b=c#d',
    }),
    { 'x-firebase-locale': 'fr-CA' },
  );
  const [code] = await listCodes(client);
  const { origin, pathname, searchParams } = new URL(code?.oobLink ?? '');
  expect(`${origin}${pathname}`).toBe('http://localhost:9000/__/auth/action');
  expect(Object.fromEntries(searchParams)).toEqual({
    mode: 'resetPassword',
    oobCode: code?.oobCode,
    apiKey: 'some-key',
    continueUrl: 'http://localhost:5173/a?b=c#d',
    lang: 'fr',
  });
  expect(code?.oobCode).toMatch(/^[\w-]{32}$/);
});

test('[I334] links lead to the project’s own page for codes if it has one', async () => {
  const client = await AuthClient.open();
  await client.settings((settings) => ({
    ...settings,
    mail: { ...settings.mail, actionUrl: 'https://app.example/mail?v=1' },
  }));
  await send(client, { requestType: 'EMAIL_SIGNIN', email: EMAIL });
  const [code] = await listCodes(client);
  expect(code?.oobLink).toMatch(/^https:\/\/app\.example\/mail\?v=1&mode=signIn&oobCode=/);
  expect(listMails(client)).toEqual([
    expect.objectContaining({ from: { name: 'demo', address: 'noreply@localhost' } }),
  ]);
});

test('[I1514] a link that returns to the hosted page leads to this server, also if the project has its own page', async () => {
  const client = await AuthClient.open();
  await client.settings((settings) => ({
    ...settings,
    authorizedDomains: ['app.example'],
    mail: { ...settings.mail, actionUrl: 'https://app.example/mail' },
  }));
  const request = { requestType: 'EMAIL_SIGNIN', email: EMAIL, canHandleCodeInApp: true };
  const continueUrl = 'http://localhost:9000/__/auth/sign-in?apiKey=any';
  expect((await send(client, { ...request, continueUrl })).status).toBe(200);
  const [code] = await listCodes(client);
  const { origin, pathname, searchParams } = new URL(code?.oobLink ?? '');
  expect(`${origin}${pathname}`).toBe('http://localhost:9000/__/auth/action');
  expect(searchParams.get('continueUrl')).toBe(continueUrl);
  for (const other of [
    'http://localhost:9000/',
    'http://localhost:9000/__/auth/sign-in/x',
    'http://localhost:9001/__/auth/sign-in',
    'https://localhost:9000/__/auth/sign-in',
    'https://evil.example/__/auth/sign-in',
  ])
    expect((await send(client, { ...request, continueUrl: other })).error).toMatch(/^UNAUTHORIZED_DOMAIN/);
});

test.each<[Body, string]>([
  [{ continueUrl: 'not an address' }, 'INVALID_CONTINUE_URI'],
  [{ continueUrl: '/path' }, 'INVALID_CONTINUE_URI'],
  [{ continueUrl: 'javascript:alert(1)' }, 'INVALID_CONTINUE_URI'],
  [{ continueUrl: 'https://localhost@evil.example/' }, 'INVALID_CONTINUE_URI'],
  [{ continueUrl: 'https://evil.example/' }, 'UNAUTHORIZED_DOMAIN'],
  [{ canHandleCodeInApp: true }, 'MISSING_CONTINUE_URI'],
  [{ androidInstallApp: true }, 'MISSING_ANDROID_PACKAGE_NAME'],
  [{ androidMinimumVersionCode: '12' }, 'MISSING_ANDROID_PACKAGE_NAME'],
  [{ iOSAppStoreId: '1' }, 'MISSING_IOS_BUNDLE_ID'],
  [{ dynamicLinkDomain: 'x.page.link' }, 'INVALID_DYNAMIC_LINK_DOMAIN'],
  [{ linkDomain: 'evil.example' }, 'INVALID_HOSTING_LINK_DOMAIN'],
  [{ linkDomain: 'localhost/evil' }, 'INVALID_HOSTING_LINK_DOMAIN'],
])('[I360] a link with %j is rejected with %s', async (body, code) => {
  const client = await AuthClient.open();
  const { error } = await send(client, { requestType: 'EMAIL_SIGNIN', email: EMAIL, ...body });
  expect(error?.split(' : ')[0]).toBe(code);
  expect(listMails(client)).toEqual([]);
});

test.each([
  ['links.app.example', 'https://links.app.example'],
  ['localhost:5000', 'http://localhost:5000'],
])('[I361] a link for an app is on the link domain %s', async (linkDomain, origin) => {
  const client = await AuthClient.open();
  await client.settings((settings) => ({ ...settings, authorizedDomains: ['localhost', 'app.example'] }));
  const { status } = await send(client, {
    requestType: 'EMAIL_SIGNIN',
    email: EMAIL,
    continueUrl: 'https://app.example/done',
    canHandleCodeInApp: true,
    linkDomain,
    androidPackageName: 'example.app',
    androidInstallApp: true,
    androidMinimumVersion: '12',
    iOSBundleId: 'example.app',
    iOSAppStoreId: '1',
  });
  expect(status).toBe(200);
  const [code] = await listCodes(client);
  const url = new URL(code?.oobLink ?? '');
  expect(`${url.origin}${url.pathname}`).toBe(`${origin}/__/auth/links`);
  expect(url.searchParams.get('link')).toMatch(
    /^http:\/\/localhost:9000\/__\/auth\/action\?mode=signIn&oobCode=/,
  );
});

test('[I330] outside development mode, a request for a mail to sign in needs a continue URL', async () => {
  const client = await AuthClient.open(undefined, { isDevelopment: false });
  const body = { requestType: 'EMAIL_SIGNIN', email: EMAIL };
  expect((await send(client, body)).error).toBe('MISSING_CONTINUE_URI');
  expect((await send(client, { ...body, continueUrl: 'http://localhost/' })).status).toBe(200);
});

test('[I362] the audit log records that a code was issued, without the code', async () => {
  const client = await AuthClient.open();
  const { localId } = await client.signUp(EMAIL);
  await send(client, { requestType: 'PASSWORD_RESET', email: EMAIL });
  const reported = client.audited.filter(({ event }) => event === 'code_issued');
  expect(reported).toEqual([
    expect.objectContaining({ uid: localId, detail: 'PASSWORD_RESET', actor: 'app' }),
  ]);
  const [code] = await listCodes(client);
  expect(JSON.stringify(client.audited)).not.toContain(code?.oobCode);
});
