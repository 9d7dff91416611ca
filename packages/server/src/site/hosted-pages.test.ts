import { expect, test } from 'vitest';
import { createMemoryServer } from '../app/memory-server.fixture.ts';
import { emptyAccount } from '../auth/accounts/account.ts';
import { accountRecords, saveAccount } from '../auth/accounts/account-store.ts';
import { bodyBudget } from '../auth/api/auth-client.fixture.ts';
import { AuthApiBodies } from '../auth/api/body.ts';
import { createTestAuth } from '../auth/create-test-auth.fixture.ts';
import type { ProjectSettings } from '../auth/projects/project.ts';
import { projectScope } from '../auth/tenants/scope.ts';
import { createPng, dataUrl } from '../auth/theme/png.fixture.ts';
import { openLoopbackClient } from '../http/loopback-client.fixture.ts';
import { PARAMETERS_MARK } from '../http/static-pages.ts';
import { LOCAL_TRANSPORT } from '../http/transport.ts';
import { DevMailbox } from '../mail/dev-mailbox.ts';
import { A_MAIL } from '../mail/outbox.fixture.ts';
import { DevPhone } from '../sms/dev-phone.ts';
import { HostedPages } from './hosted-pages.ts';

const ACTION = '/__/auth/action';
const SCRIPT = Buffer.from('console.log(1)');
const PAGE = `<script type="application/json">${PARAMETERS_MARK}</script>`;

async function openPages({
  isDevelopment = true,
  clientPackage = undefined as Buffer | undefined,
  change = (settings: ProjectSettings) => settings,
} = {}) {
  const { services } = createTestAuth();
  await services.projects.change('demo', (settings) =>
    change({ ...settings, authorizedDomains: ['localhost', 'app.example'] }),
  );
  const mailbox = new DevMailbox({ nowMs: () => 0, print: () => undefined });
  const phone = new DevPhone({ nowMs: () => 0, print: () => undefined });
  const hostedPages = new HostedPages({
    services,
    transport: LOCAL_TRANSPORT,
    pages: {
      html: PAGE,
      assets: new Map([
        [
          'a-1.js',
          {
            contentType: 'text/javascript; charset=utf-8',
            bytes: SCRIPT,
            zipped: () => Promise.resolve(SCRIPT),
          },
        ],
      ]),
    },
    signInPages: { handler: PAGE, hosted: PAGE, frame: PAGE, shim: SCRIPT },
    bodies: new AuthApiBodies({ budget: bodyBudget() }),
    allowedHosts: [],
    clientPackage,
    mailbox: isDevelopment ? mailbox : null,
    phone: isDevelopment ? phone : null,
    defaultProject: isDevelopment ? 'demo' : null,
  });
  const { server, serve } = await createMemoryServer({ hostedPages });
  serve();
  const client = await openLoopbackClient(server);
  return {
    services,
    mailbox,
    send: (url: string, method = 'GET') => client.send({ method, url, headers: { host: 'localhost:9000' } }),
  };
}

function parametersOf(body: string): unknown {
  return JSON.parse(body.replace(/<[^>]*>/g, ''));
}

function query(parameters: Readonly<Record<string, string>>): string {
  return `?${new URLSearchParams(parameters)}`;
}

const LINK = { mode: 'resetPassword', oobCode: 'c0de', apiKey: 'key' };

test.each([
  'resetPassword',
  'verifyEmail',
  'verifyAndChangeEmail',
  'recoverEmail',
  'revertSecondFactorAddition',
])('[I368] a link of a mail with the mode %s opens a page with the parameters of the link', async (mode) => {
  const { send } = await openPages();
  const parameters = { ...LINK, mode, lang: 'fr', continueUrl: 'https://app.example/done' };
  const { status, headers, body } = await send(`${ACTION}${query(parameters)}`);
  expect(status).toBe(200);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(parametersOf(body)).toMatchObject({
    lang: 'fr',
    page: { kind: 'action', mode, oobCode: 'c0de', apiKey: 'key', continueUrl: 'https://app.example/done' },
  });
});

test('[I368] the continue URL is left out unless the project allows it', async () => {
  const { send } = await openPages();
  for (const continueUrl of ['https://evil.example/', 'javascript:alert(1)']) {
    const { body } = await send(`${ACTION}${query({ ...LINK, continueUrl })}`);
    expect(parametersOf(body)).not.toHaveProperty('page.continueUrl');
  }
});

test.each([
  ['', 'incomplete'],
  [query({ mode: 'resetPassword', apiKey: 'key' }), 'incomplete'],
  [query({ ...LINK, mode: '<script>' }), 'unknownMode'],
  [query({ ...LINK, mode: 'signIn' }), 'noContinueUrl'],
  [query({ ...LINK, mode: 'signIn', continueUrl: 'https://evil.example/' }), 'noContinueUrl'],
])('[I368] the link %s is rejected as %s', async (text, reason) => {
  const { send } = await openPages();
  const { status, body } = await send(`${ACTION}${text}`);
  expect(status).toBe(400);
  expect(parametersOf(body)).toMatchObject({ page: { kind: 'rejected', reason } });
});

test('[I369] a sign-in link redirects to the app with the parameters that the SDK needs', async () => {
  const { send } = await openPages();
  const continueUrl = 'https://app.example/done?a=b#c';
  const parameters = { ...LINK, mode: 'signIn', lang: 'fr', continueUrl, extra: 'x' };
  const { status, headers, body } = await send(`${ACTION}${query(parameters)}`);
  expect(status).toBe(303);
  expect(body).toBe('');
  expect(headers.location).toBe('https://app.example/done?a=b&mode=signIn&oobCode=c0de&apiKey=key&lang=fr#c');
  expect(headers['cache-control']).toBe('no-store');
});

test.each([
  [`http://localhost:9000${ACTION}${query(LINK)}`, true],
  [`https://own.example/mail${query(LINK)}`, true],
  [`https://app.example/x${query(LINK)}`, true],
  [`https://evil.example/x${query(LINK)}`, false],
  [`http://localhost:9000@evil.example${ACTION}${query(LINK)}`, false],
  [`javascript:alert(1)${query(LINK)}`, false],
  ['https://app.example/x', false],
])('[I370] a link for an app with the target %s is redirected: %s', async (link, isFollowed) => {
  const { send } = await openPages({
    change: (settings) => ({
      ...settings,
      mail: { ...settings.mail, actionUrl: 'https://own.example/mail' },
    }),
  });
  for (const name of ['link', 'deep_link_id']) {
    const { status, headers } = await send(`/__/auth/links${query({ [name]: link })}`);
    expect(status).toBe(isFollowed ? 302 : 400);
    expect(headers.location).toBe(isFollowed ? link : undefined);
  }
});

test('[I371] /__/firebase/init.json and init.js contain the configuration of the project', async () => {
  const { send } = await openPages();
  const { headers, body } = await send('/__/firebase/init.json');
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(JSON.parse(body)).toMatchObject({ projectId: 'demo', authDomain: 'localhost:9000' });
  const script = await send('/__/firebase/init.js?key=another');
  expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(script.body).toContain('"apiKey":"another"');
});

test('[I371] outside development mode, /__/firebase/init.json requires an API key', async () => {
  const { send } = await openPages({ isDevelopment: false });
  expect((await send('/__/firebase/init.json')).status).toBe(404);
  expect((await send('/__/firebase/init.json?key=some')).status).toBe(200);
});

test('[I372] the files of a page are served; an unknown path is answered 404, and a POST 405', async () => {
  const { send } = await openPages();
  const { status, headers, body } = await send('/__/auth/assets/a-1.js');
  expect([status, body]).toEqual([200, SCRIPT.toString()]);
  expect(headers['cache-control']).toContain('immutable');
  expect((await send('/__/auth/assets/b.js')).status).toBe(404);
  expect((await send('/__/auth/nothing')).status).toBe(404);
  const posted = await send(`${ACTION}${query(LINK)}`, 'POST');
  expect([posted.status, posted.headers['allow']]).toEqual([405, 'GET, HEAD']);
});

test('[I787] text messages are shown at /emulator/sms in development mode only', async () => {
  const { send } = await openPages();
  expect((await send('/emulator/sms')).body).toContain('No text messages yet.');
  expect(JSON.parse((await send('/emulator/sms.json')).body)).toEqual({ messages: [] });
  const { send: sendOther } = await openPages({ isDevelopment: false });
  for (const path of ['/emulator/sms', '/emulator/sms.json'])
    expect((await sendOther(path)).status).toBe(404);
});

test('[I373] mails are shown at /emulator/mail in development mode only', async () => {
  const { send, mailbox } = await openPages();
  await mailbox.send({ ...A_MAIL, id: 'm-1' }, new AbortController().signal);
  expect((await send('/emulator/mail')).body).toContain(A_MAIL.subject);
  expect(JSON.parse((await send('/emulator/mail.json')).body)).toMatchObject({ mails: [{ id: 'm-1' }] });
  expect((await send('/emulator/mail/m-1')).body).toBe(A_MAIL.html);
  const { send: sendOther } = await openPages({ isDevelopment: false });
  for (const path of ['/emulator/mail', '/emulator/mail.json', '/emulator/mail/m-1'])
    expect((await sendOther(path)).status).toBe(404);
});

test('[I372] data whose paths begin like the paths of pages can still be read', async () => {
  const { send } = await openPages();
  for (const path of ['/__/auth/x.json', '/emulator.json', '/__.json'])
    expect((await send(`${path}?ns=demo`)).body).toBe('null');
});

test('[I711] apps install the client package from the server', async () => {
  const clientPackage = Buffer.from([0x1f, 0x8b, 1, 2]);
  const { send } = await openPages({ isDevelopment: false, clientPackage });
  const answer = await send('/__/hearth/client.tgz');
  expect([answer.status, answer.headers['content-type'], answer.headers['content-length']]).toEqual([
    200,
    'application/gzip',
    '4',
  ]);
  expect(await send('/__/hearth/client.tgz', 'HEAD')).toMatchObject({ status: 200, body: '' });
  expect((await send('/__/hearth/client.tgz', 'POST')).status).toBe(405);
  const unbuilt = await openPages();
  expect(await unbuilt.send('/__/hearth/client.tgz')).toMatchObject({
    status: 404,
    body: expect.stringContaining('not built'),
  });
});

const START = {
  apiKey: 'key',
  appName: '[DEFAULT]',
  authType: 'signInViaPopup',
  redirectUrl: 'http://localhost:3000/page#part',
  eventId: '123',
  providerId: 'google.com',
};

test.each(['/emulator/auth/handler', '/__/auth/handler'])(
  '[I840] in development mode, %s offers the users of the provider',
  async (path) => {
    const { send, services } = await openPages();
    await services.recordStore.change((transaction) => {
      const identity = {
        providerId: 'google.com',
        rawId: '42',
        email: 'alice@example.com',
        displayName: 'Alice',
        photoUrl: null,
        screenName: null,
        wasLinkedVerified: true,
      };
      const other = { ...identity, providerId: 'github.com', rawId: '43' };
      const account = { ...emptyAccount('alice', 0), identities: [identity, other] };
      saveAccount(transaction.records(accountRecords(projectScope('demo'))), undefined, account);
    });
    const { status, headers, body } = await send(`${path}${query(START)}`);
    expect(status).toBe(200);
    expect(headers['cross-origin-opener-policy']).toBe('unsafe-none');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    const { providerId, ...app } = START;
    expect(parametersOf(body)).toMatchObject({
      page: {
        kind: 'choose',
        app,
        providerId,
        providerName: 'Google',
        users: [{ rawId: '42', email: 'alice@example.com', displayName: 'Alice' }],
      },
    });
  },
);

test.each([
  [{ appName: '' }, 'incomplete'],
  [{ eventId: 'x'.repeat(257) }, 'incomplete'],
  [{ authType: 'verifyApp' }, 'unsupported'],
  [{ tid: '-' }, 'unknownTenant'],
  [{ redirectUrl: 'https://evil.example/' }, 'unauthorizedDomain'],
  [{ redirectUrl: 'https://localhost@evil.example/' }, 'unauthorizedDomain'],
  [{ redirectUrl: 'javascript:alert(1)' }, 'unauthorizedDomain'],
  [{ providerId: 'example.com' }, 'unknownProvider'],
])('[I841] a sign-in with %j is rejected with a page that says why: %s', async (change, problem) => {
  const { send } = await openPages();
  const { status, body } = await send(`/emulator/auth/handler${query({ ...START, ...change })}`);
  expect(status).toBe(400);
  expect(parametersOf(body)).toMatchObject({ page: { kind: 'problem', problem } });
});

test('[I842] only an app on an authorized origin may embed the frame', async () => {
  const { send } = await openPages();
  const ask = (origin: string) =>
    send(`/__/auth/iframe${query({ apiKey: 'key', appName: 'a', hearthOrigin: origin })}`);
  const { status, headers, body } = await ask('https://app.example');
  expect(status).toBe(200);
  expect(headers['content-security-policy']).toContain('frame-ancestors https://app.example');
  expect(parametersOf(body)).toMatchObject({ apiKey: 'key', appName: 'a', appOrigin: 'https://app.example' });
  for (const origin of ['https://evil.example', 'https://app.example/', 'null', '*']) {
    const rejected = await ask(origin);
    expect(rejected.status).toBe(403);
    expect(rejected.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(parametersOf(rejected.body)).not.toHaveProperty('appOrigin');
  }
});

test('[I842] without the script of this server, pages on authorized domains may embed the frame', async () => {
  const address = `iframe${query({ apiKey: 'key', appName: 'a' })}`;
  const { headers, body } = await (await openPages()).send(`/emulator/auth/${address}`);
  expect(headers['content-security-policy']).toContain(
    'frame-ancestors localhost:* *.localhost:* app.example:* *.app.example:*',
  );
  expect(parametersOf(body)).toHaveProperty('officialScript');
});

test('[I843] outside development mode, the emulator pages do not exist, and nothing of Google is loaded', async () => {
  const { send, services } = await openPages({ isDevelopment: false });
  await services.projects.change('demo', (settings) => settings);
  for (const path of ['/emulator/auth/handler', '/emulator/auth/iframe'])
    expect((await send(`${path}${query(START)}`)).status).toBe(404);
  const frame = await send(`/__/auth/iframe${query({ apiKey: 'key', appName: 'a' })}`);
  expect(frame.body).not.toContain('google');
});

test('[I844] apps of every origin load the script that takes the place of those of Google', async () => {
  const { send } = await openPages();
  const { status, headers, body } = await send('/__/auth/shim.js');
  expect([status, body]).toEqual([200, SCRIPT.toString()]);
  expect(headers['content-type']).toContain('text/javascript');
  expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
});

const HOSTED = { apiKey: 'key', redirectUrl: 'http://localhost:3000/', challenge: 'a'.repeat(43) };

test.each([
  [{ apiKey: '' }, 'incomplete'],
  [{ challenge: 'short' }, 'incomplete'],
  [{ screen: 'admin' }, 'incomplete'],
  [{ redirectUrl: '' }, 'incomplete'],
  [{ state: 'x'.repeat(1_025) }, 'incomplete'],
  [{ tid: '-' }, 'unknownTenant'],
  [{ redirectUrl: 'https://evil.example/' }, 'unauthorizedDomain'],
  [{ redirectUrl: 'https://evil.example/', screen: 'account' }, 'unauthorizedDomain'],
  [{ redirectUrl: 'javascript:alert(1)', screen: 'account' }, 'unauthorizedDomain'],
])('[I1500][I1508] the hosted page with %j shows a problem: %s', async (change, problem) => {
  const { send } = await openPages();
  const { status, body } = await send(`/__/auth/sign-in${query({ ...HOSTED, ...change })}`);
  expect(status).toBe(400);
  expect(parametersOf(body)).toMatchObject({ page: { kind: 'problem', problem } });
  expect(body).not.toContain('evil.example');
});

test('[I1508] the account page needs no challenge, does not open as a popup, and cannot be embedded', async () => {
  const { send } = await openPages();
  const account = { ...HOSTED, challenge: '', screen: 'account', display: 'popup', tid: 'acme' };
  const { status, headers, body } = await send(`/__/auth/sign-in${query(account)}`);
  expect(status).toBe(200);
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  expect(parametersOf(body)).toMatchObject({
    page: { kind: 'start', screen: 'account', challenge: '', isPopup: false, tenantId: 'acme' },
  });
});

test('[I1512] a development server without providers offers Google on the hosted page', async () => {
  const { send } = await openPages();
  const { body } = await send(`/__/auth/sign-in${query(HOSTED)}`);
  expect(parametersOf(body)).toMatchObject({
    page: { project: { providers: [{ id: 'google.com', name: 'Google' }] } },
  });
});

const LOGO = dataUrl(createPng());

test.each([
  ['the hosted page', `/__/auth/sign-in${query(HOSTED)}`],
  ['the page for codes', `/__/auth/action${query({ mode: 'verifyEmail', oobCode: 'c', apiKey: 'key' })}`],
])('[I1593] %s has the look of the project', async (_name, address) => {
  const { send } = await openPages({
    change: (settings) => ({
      ...settings,
      mail: { ...settings.mail, appName: 'Tea </script> Shop' },
      theme: { lightColor: '#006644', darkColor: null, cornerRadius: 4, logo: LOGO },
    }),
  });
  const { headers, body } = await send(address);
  const look = { name: 'Tea </script> Shop', lightColor: '#006644', cornerRadius: 4, logo: LOGO };
  expect(parametersOf(body)).toMatchObject({ page: { look } });
  expect(body.split('</script>')).toHaveLength(2);
  expect(headers['content-security-policy']).toContain("img-src 'self' data:;");
});

test('[I1593][I1595] the pages of a tenant have its name, and the page for codes has its id', async () => {
  const { send, services } = await openPages();
  const project = services.projects.find('demo');
  if (project === undefined) throw new Error('The project does not exist.');
  const { id } = await services.tenants.create(project, { displayName: 'Acme' });
  const hosted = parametersOf((await send(`/__/auth/sign-in${query({ ...HOSTED, tid: id })}`)).body);
  expect(hosted).toMatchObject({ page: { tenantId: id, look: { name: 'demo', tenantName: 'Acme' } } });
  const link = { mode: 'verifyEmail', oobCode: 'c', apiKey: 'key', tenantId: id };
  const action = parametersOf((await send(`/__/auth/action${query(link)}`)).body);
  expect(action).toMatchObject({ page: { tenantId: id, look: { tenantName: 'Acme' } } });
  const unknown = await send(`/__/auth/action${query({ ...link, tenantId: '-' })}`);
  expect(unknown.status).toBe(400);
  const signIn = { ...link, mode: 'signIn', continueUrl: 'http://localhost:3000/' };
  expect((await send(`/__/auth/action${query(signIn)}`)).headers['location']).toContain(`tenantId=${id}`);
});
