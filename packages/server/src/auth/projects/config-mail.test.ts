import { expect, test } from 'vitest';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { listMails } from '../codes/mailed-codes.fixture.ts';

type Body = Readonly<Record<string, unknown>>;

const OWNER = { authorization: 'Bearer owner' };
const URL = '/v2/projects/demo/config';
const EMAIL = 'ann@example.com';

const SMTP = {
  senderEmail: 'us@shop.example',
  host: 'mail.shop.example',
  port: 465,
  username: 'ada',
  securityMode: 'SSL',
};
const PASSWORD = 'guess-me-guess-me';
const WITH_PASSWORD = { ...SMTP, password: PASSWORD };

/** Values that clear the members that are not objects. */
const EMPTY: Body = {
  method: 'DEFAULT',
  hearth: { appName: '', senderName: '', replyTo: '', templates: {} },
};

function patch(client: AuthClient, mask: string, sendEmail: Body) {
  const paths = mask.split(',').map((path) => `notification.sendEmail.${path}`);
  const body = JSON.stringify({ notification: { sendEmail } });
  return client.request('PATCH', `${URL}?updateMask=${paths.join(',')}`, body, OWNER);
}

async function readSendEmail(client: AuthClient): Promise<Body> {
  const { json } = await client.request('GET', URL, undefined, OWNER);
  return Object(Object(json['notification'])['sendEmail']);
}

function serverOf(client: AuthClient) {
  return client.services.projects.find('demo')?.settings.mail.server;
}

test.each<[string, Body, Body | null]>([
  [
    'method,smtp',
    { method: 'CUSTOM_SMTP', smtp: { ...SMTP, password: PASSWORD } },
    { method: 'CUSTOM_SMTP', smtp: SMTP },
  ],
  [
    'smtp',
    {
      smtp: {
        senderEmail: 'us@shop.example',
        host: '10.0.0.1',
        port: 25,
        securityMode: 'NONE',
        username: '',
        password: '',
      },
    },
    { smtp: { senderEmail: 'us@shop.example', host: '10.0.0.1', port: 25, securityMode: 'NONE' } },
  ],
  [
    'resetPasswordTemplate',
    {
      resetPasswordTemplate: {
        senderLocalPart: 'noreply',
        subject: 'Reset for %APP_NAME%',
        senderDisplayName: 'The Shop',
        body: '<a href="%LINK%">go</a>',
        bodyFormat: 'HTML',
        replyTo: 'help@shop.example',
        customized: true,
      },
    },
    null,
  ],
  [
    'verifyEmailTemplate',
    { verifyEmailTemplate: { body: 'Go to %LINK%', subject: '' } },
    { verifyEmailTemplate: { body: 'Go to %LINK%', bodyFormat: 'PLAIN_TEXT', customized: true } },
  ],
  ['changeEmailTemplate', { changeEmailTemplate: { subject: 'Changed', customized: true } }, null],
  [
    'revertSecondFactorAdditionTemplate',
    { revertSecondFactorAdditionTemplate: { subject: 'Added', customized: true } },
    null,
  ],
  [
    'hearth',
    {
      hearth: {
        appName: 'The Shop',
        senderName: 'The Shopkeeper',
        replyTo: 'help@shop.example',
        templates: {
          passwordChanged: { fr: { subject: 'Changé', body: { kind: 'text', text: 'Bonjour' } } },
        },
      },
    },
    null,
  ],
])('[I149] %s can be set, read and cleared', async (mask, given, returned) => {
  const client = await AuthClient.open();
  const before = await readSendEmail(client);
  expect((await patch(client, mask, given)).status).toBe(200);
  expect(await readSendEmail(client)).toEqual({ ...before, ...(returned ?? given) });
  const emptied = Object.keys(given).map((name) => [name, EMPTY[name] ?? {}]);
  await patch(client, mask, Object.fromEntries(emptied));
  expect(await readSendEmail(client)).toEqual(before);
  await patch(client, mask, given);
  await client.request('PATCH', URL, '{}', OWNER);
  expect(await readSendEmail(client)).toEqual(before);
});

test('[I149] changing one member of a template keeps the others', async () => {
  const client = await AuthClient.open();
  const template = { subject: 'One', senderDisplayName: 'The Shop' };
  await patch(client, 'resetPasswordTemplate', { resetPasswordTemplate: template });
  await patch(client, 'resetPasswordTemplate.subject', { resetPasswordTemplate: { subject: 'Two' } });
  expect(await readSendEmail(client)).toMatchObject({
    resetPasswordTemplate: { ...template, subject: 'Two' },
  });
});

test('[I150] the password is stored and never returned', async () => {
  const client = await AuthClient.open();
  const { text } = await patch(client, 'smtp', { smtp: WITH_PASSWORD });
  const sealed = serverOf(client)?.settings.sealedPassword;
  expect(text).not.toContain('password"');
  const { text: again } = await client.request('GET', URL, undefined, OWNER);
  const stored = JSON.stringify(
    client.services.recordStore.read((view) => view.records('installation').find([])),
  );
  for (const location of [text, again, stored, JSON.stringify(client.audited)])
    expect(location).not.toContain(PASSWORD);
  expect(again).not.toContain(sealed ?? PASSWORD);

  await patch(client, 'smtp.senderEmail,smtp.securityMode', {
    smtp: { senderEmail: 'we@shop.example', securityMode: 'START_TLS' },
  });
  expect(serverOf(client)).toEqual({
    settings: { host: SMTP.host, port: 465, security: 'starttls', user: 'ada', sealedPassword: sealed },
    senderAddress: 'we@shop.example',
  });
});

test('[I150] the audit log records that the password changed', async () => {
  const client = await AuthClient.open();
  for (const password of [PASSWORD, 'another']) await patch(client, 'smtp', { smtp: { ...SMTP, password } });
  await patch(client, 'smtp', { smtp: SMTP });
  expect(client.audited.map(({ detail }) => detail)).toEqual([
    'notification.sendEmail.smtp',
    'notification.sendEmail.smtp',
    '',
  ]);
});

test.each([{ host: 'mail.evil.example' }, { port: 466 }, { username: 'eve' }])(
  '[I150] a change to %j requires the password again',
  async (change) => {
    const client = await AuthClient.open();
    await patch(client, 'smtp', { smtp: WITH_PASSWORD });
    const before = serverOf(client);
    const denied = await patch(client, 'smtp', { smtp: { ...SMTP, ...change } });
    expect(denied.error).toBe(
      'INVALID_CONFIG : notification.sendEmail.smtp: "password" is required for a new host, port or username.',
    );
    expect(serverOf(client)).toEqual(before);
    expect((await patch(client, 'smtp', { smtp: { ...WITH_PASSWORD, ...change } })).status).toBe(200);
  },
);

test.each<readonly [string, Body, readonly string[]]>([
  ['method', { method: 'CUSTOM_SMTP' }, ['notification.sendEmail.smtp must be set when']],
  ['method', { method: 'PIGEON' }, ['notification.sendEmail.method must be one of DEFAULT, CUSTOM_SMTP.']],
  ['smtp', { smtp: 'x' }, ['notification.sendEmail.smtp must be an object.']],
  [
    'smtp',
    { smtp: { senderEmail: 'x', host: '/', port: 0, securityMode: 'TLS', password: 5, other: 1 } },
    [
      'other is not',
      '"senderEmail" must',
      '"host" must',
      '"port" must',
      '"securityMode" must',
      '"password" must',
    ],
  ],
  ['smtp', { smtp: { ...WITH_PASSWORD, username: '' } }, ['Give a user and a password, or neither.']],
  [
    'smtp',
    { smtp: { ...WITH_PASSWORD, securityMode: 'NONE' } },
    ['A password needs an encrypted connection'],
  ],
  [
    'resetPasswordTemplate,hearth,smtp',
    {
      resetPasswordTemplate: {
        subject: 'a\nb',
        senderDisplayName: '%EMAIL%',
        body: 'x',
        bodyFormat: 'RTF',
        replyTo: 'x',
        other: 1,
        senderLocalPart: 'a@',
      },
      hearth: { appName: 'a\nb', replyTo: 'x', templates: { verifyEmail: { it: {} } } },
      smtp: {},
    },
    [
      'other is not',
      'subject must be one line',
      'senderDisplayName must not contain %EMAIL%',
      'body needs %LINK%',
      'bodyFormat must',
      'replyTo must be one',
      'senderLocalPart must',
      'appName must be one line',
      'hearth.replyTo must be',
      'verifyEmail.it is unknown',
    ],
  ],
  ['verifyEmailTemplate', { verifyEmailTemplate: { body: 5 } }, ['body must have 1 to 50000']],
  ['verifyEmailTemplate', { verifyEmailTemplate: 'x' }, ['verifyEmailTemplate must be an object.']],
  ['hearth.colour', { hearth: { colour: 'red' } }, ['notification.sendEmail.hearth.colour is not a setting']],
])('[I151] setting %s to %j is rejected with every problem', async (mask, sendEmail, problems) => {
  const client = await AuthClient.open();
  const before = await readSendEmail(client);
  const { status, error } = await patch(client, mask, sendEmail);
  expect(status).toBe(400);
  expect(error).toMatch(/^INVALID_CONFIG : /);
  for (const problem of problems) expect(error).toContain(problem);
  expect(await readSendEmail(client)).toEqual(before);
});

test('[I151] templates by language have at most 262,144 characters in all', async () => {
  const client = await AuthClient.open();
  const body = { kind: 'text', text: `%LINK%${'x'.repeat(49_000)}` };
  const statuses: number[] = [];
  for (const language of ['en', 'es', 'fr', 'de', 'pt', 'zh']) {
    const templates = { verifyEmail: { [language]: { body } } };
    const mask = `hearth.templates.verifyEmail.${language}`;
    statuses.push((await patch(client, mask, { hearth: { templates } })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 400]);
});

test('[I154] a template for the language of a mail has priority over the official one, which applies only to the project’s language', async () => {
  const client = await AuthClient.open();
  await client.signUp(EMAIL);
  await client.request(
    'PATCH',
    `${URL}?updateMask=notification.defaultLocale`,
    JSON.stringify({ notification: { defaultLocale: 'pt-BR' } }),
    OWNER,
  );
  await patch(client, 'resetPasswordTemplate,hearth', {
    resetPasswordTemplate: { subject: 'Official', replyTo: 'official@shop.example' },
    hearth: {
      appName: 'Loja',
      senderName: 'Ada',
      replyTo: 'help@shop.example',
      templates: { resetPassword: { de: { subject: 'Deutsch' } } },
    },
  });
  const subjectIn = async (locale: string): Promise<unknown> => {
    client.clock.ms += 1;
    await client.request(
      'POST',
      '/v1/accounts:sendOobCode?key=any',
      JSON.stringify({ requestType: 'PASSWORD_RESET', email: EMAIL }),
      { 'x-firebase-locale': locale },
    );
    return listMails(client).at(-1)?.subject;
  };
  expect(await subjectIn('')).toBe('Official');
  expect(await subjectIn('pt')).toBe('Official');
  expect(await subjectIn('de')).toBe('Deutsch');
  expect(await subjectIn('fr')).not.toBe('Official');
  expect(listMails(client)).toMatchObject([
    { replyTo: 'official@shop.example', from: { name: 'Ada' } },
    {},
    { replyTo: 'help@shop.example' },
    {},
  ]);
  await patch(client, 'hearth.templates', {
    hearth: { templates: { resetPassword: { pt: { subject: 'Português' } } } },
  });
  expect(await subjectIn('pt')).toBe('Português');
});
