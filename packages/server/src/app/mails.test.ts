import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { smtpAnswer, smtpTestBed } from '../mail/smtp-test-bed.fixture.ts';
import { createLogger } from '../platform/logger.ts';
import { parseSmtpAddress } from '../platform/network-address.ts';
import { readOptions } from '../platform/server-options.ts';
import { startApp } from './app.ts';
import { developmentMode } from './development-mode.ts';
import { openServing, type Serving, temporaryDirectory } from './serving.fixture.ts';

const EMAIL = 'ann@example.com';
const PASSWORD = 'guess-me-guess-me';
const WITHIN = { timeout: 120_000 };

/** Creates a project with an account. Returns functions that configure, request and check the project's mails. */
async function openShop(serving: Serving) {
  const { token } = serving;
  const { json } = await serving.ask('/api/projects', { token, body: { id: 'shop' } });
  const key = String(json['apiKey']);
  await serving.ask(`/v1/accounts:signUp?key=${key}`, {
    body: { email: EMAIL, password: 'correct-horse-battery' },
  });
  return {
    configure: (sendEmail: unknown, mask = 'notification.sendEmail') =>
      serving.ask(`/v2/projects/shop/config?updateMask=${mask}`, {
        method: 'PATCH',
        token,
        body: { notification: { sendEmail } },
      }),
    requestReset: () =>
      serving.ask(`/v1/accounts:sendOobCode?key=${key}`, {
        body: { requestType: 'PASSWORD_RESET', email: EMAIL },
      }),
    status: async () => (await serving.ask('/api/projects/shop/mail', { token })).json,
    sendTest: (body: unknown) => serving.ask('/api/projects/shop/mail/test', { token, body }),
  };
}

function smtpAt(port: number, more: object = {}) {
  return { senderEmail: 'us@shop.example', host: '127.0.0.1', port, securityMode: 'NONE', ...more };
}

function sharedAt(port: number) {
  return { smtpUrl: parseSmtpAddress(`smtp://127.0.0.1:${port}`, 'x'), mailFrom: 'noreply@host.example' };
}

/** Creates a fake mail server that requires the password. */
function guardedTestBed() {
  return smtpTestBed({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === PASSWORD ? done(null, { user: username }) : done(smtpAnswer(535, 'Wrong')),
  });
}

test("[I153][I155] a mail with the project's text is sent once, by the project's mail server", async () => {
  const mailServer = await guardedTestBed();
  const directory = temporaryDirectory();
  const serving = await openServing(directory, { allowPrivateSmtp: true });
  const { configure, requestReset, status } = await openShop(serving);
  const configured = await configure({
    method: 'CUSTOM_SMTP',
    smtp: smtpAt(mailServer.port, { username: 'ada', password: PASSWORD }),
    resetPasswordTemplate: { subject: 'Back to %APP_NAME%', body: 'Here you are: %LINK%' },
  });
  expect(configured.status).toBe(200);
  expect((await requestReset()).status).toBe(200);
  await vi.waitFor(async () => expect(await status()).toEqual({ waiting: 0, dead: 0 }), WITHIN);
  await serving.close();
  expect(mailServer.received).toMatchObject([{ from: 'us@shop.example', to: [EMAIL], user: 'ada' }]);
  expect(mailServer.received[0]?.raw).toContain('Subject: Back to shop');
  expect(mailServer.received[0]?.raw).toContain('Here you are: https://hearth.example.com/__/auth/action');
  expect(serving.log.join('')).not.toContain(PASSWORD);

  const again = await openServing(directory);
  const { token } = again;
  const paths = ['/v2/projects/shop/config', '/api/projects/shop/audit?limit=100'];
  for (const target of paths) {
    const { status: http, text } = await again.ask(target, { token });
    expect(http).toBe(200);
    expect(text).not.toContain(PASSWORD);
  }
  expect(mailServer.received).toHaveLength(1);
});

test('[I153] a project without its own mail server uses the mail server of all projects', async () => {
  const mailServer = await smtpTestBed();
  const serving = await openServing(undefined, sharedAt(mailServer.port));
  const { requestReset } = await openShop(serving);
  await requestReset();
  await vi.waitFor(() => expect(mailServer.received).toHaveLength(1), WITHIN);
  expect(mailServer.received).toMatchObject([{ from: 'noreply@host.example', to: [EMAIL] }]);
});

test('[I155] when the mail server is down, requests still succeed and the status reports the failure', async () => {
  const mailServer = await smtpTestBed();
  await mailServer.close();
  const serving = await openServing(undefined, { allowPrivateSmtp: true });
  const { configure, requestReset, status } = await openShop(serving);
  await configure({ method: 'CUSTOM_SMTP', smtp: smtpAt(mailServer.port) });
  expect((await requestReset()).status).toBe(200);
  const lastFailure = {
    atMs: expect.any(Number),
    project: 'shop',
    reason: expect.stringContaining('ECONNREFUSED'),
  };
  await vi.waitFor(
    async () =>
      expect(await status()).toEqual({ waiting: 1, oldestAtMs: expect.any(Number), dead: 0, lastFailure }),
    WITHIN,
  );
});

test('[I156] a test mail is sent immediately, in the requested language', async () => {
  const mailServer = await smtpTestBed();
  const serving = await openServing(undefined, { ...sharedAt(mailServer.port), allowPrivateSmtp: true });
  const { sendTest, configure } = await openShop(serving);
  expect(await sendTest({ to: EMAIL, language: 'fr' })).toMatchObject({ json: { outcome: 'accepted' } });
  expect(mailServer.received).toHaveLength(1);
  expect(mailServer.received[0]?.raw).toContain('lang=3D"fr"');
  await configure({
    method: 'CUSTOM_SMTP',
    smtp: smtpAt(mailServer.port, { username: 'ada', password: PASSWORD }),
  });
  const denied = await sendTest({ to: EMAIL });
  expect(denied.json).toEqual({ outcome: 'refused', reason: expect.any(String) });
  expect(denied.text).not.toContain(PASSWORD);
  expect((await sendTest({ to: 'Ann <a@b.example>' })).status).toBe(400);
  expect((await sendTest({ to: EMAIL, subject: 'Mine' })).status).toBe(400);
  expect((await sendTest({ language: 'fr' })).status).toBe(400);
  const { text } = await serving.ask('/api/projects/shop/audit', { token: serving.token });
  expect(text).toContain('"test_mail_sent"');
  expect(text).not.toContain(EMAIL);
});

test("[I664] a project's mail server cannot be in a private network, but the server's own can", async () => {
  const mailServer = await smtpTestBed();
  const serving = await openServing(undefined, sharedAt(mailServer.port));
  const { sendTest, configure } = await openShop(serving);
  expect((await sendTest({ to: EMAIL })).json).toEqual({ outcome: 'accepted' });
  const before = mailServer.countConnections();
  for (const host of ['127.0.0.1', 'localhost', '169.254.169.254', '10.0.0.1', '::1']) {
    await configure({ method: 'CUSTOM_SMTP', smtp: smtpAt(mailServer.port, { host }) });
    expect((await sendTest({ to: EMAIL })).json).toEqual({
      outcome: 'refused',
      reason: expect.stringMatching(/^The mail server is not at a public address/),
    });
  }
  expect(mailServer.countConnections()).toBe(before);
});

test('[I157] the mail state and test mails require a credential of an administrator', async () => {
  const serving = await openServing();
  await openShop(serving);
  for (const token of ['nonsense', undefined]) {
    const given = token === undefined ? {} : { token };
    expect((await serving.ask('/api/projects/shop/mail', given)).status).toBe(401);
    expect(
      (await serving.ask('/api/projects/shop/mail/test', { ...given, body: { to: EMAIL } })).status,
    ).toBe(401);
  }
  const { token } = serving;
  expect((await serving.ask('/api/projects/club/mail', { token })).text).toContain('PROJECT_NOT_FOUND');
});

test("[I158] in development mode all mails go to the mailbox, whatever a project's settings are", async () => {
  const mailServer = await smtpTestBed();
  const options = readOptions({ port: '0', data: join(temporaryDirectory(), 'data') }, {});
  const app = await startApp(
    options,
    developmentMode(options),
    createLogger('silent', { write: () => true }),
  );
  onTestFinished(() => app.close());
  const ask = (path: string, body: unknown, method = 'POST') =>
    fetch(`${app.url}${path}`, {
      method,
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const smtp = smtpAt(mailServer.port);
  const sendEmail = { method: 'CUSTOM_SMTP', smtp };
  await ask('/v2/projects/demo/config?updateMask=notification', { notification: { sendEmail } }, 'PATCH');
  await ask('/v1/accounts:sendOobCode?key=any', {
    requestType: 'EMAIL_SIGNIN',
    email: EMAIL,
    continueUrl: 'http://localhost/',
  });
  const test = await ask('/api/projects/demo/mail/test', { to: EMAIL });
  expect(await test.json()).toEqual({ outcome: 'accepted' });
  await vi.waitFor(async () => {
    const mails = await (await fetch(`${app.url}/emulator/mail.json`)).text();
    expect(mails.split(EMAIL).length).toBeGreaterThan(2);
  }, WITHIN);
  expect(mailServer.countConnections()).toBe(0);
});
