import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { DevMailbox } from '../mail/dev-mailbox.ts';
import type { OutgoingMail } from '../mail/mailer.ts';
import { A_MAIL, SECRET_LINK } from '../mail/outbox.fixture.ts';
import { DevPhone } from '../sms/dev-phone.ts';
import { answerMailbox } from './mailbox-page.ts';
import { answerSms } from './sms-page.ts';

const { signal } = new AbortController();

function mailboxTestBed() {
  const lines: string[] = [];
  const mailbox = new DevMailbox({ nowMs: () => 1_700_000_000_000, print: (line) => lines.push(line) });
  const send = (mail: Partial<OutgoingMail> = {}) => mailbox.send({ ...A_MAIL, id: 'm-1', ...mail }, signal);
  return { mailbox, lines, send, get: (path: string) => answerMailbox(mailbox, path) };
}

test('[I147] a mail is printed to the terminal, with its link on a separate line', async () => {
  const { lines, send } = mailboxTestBed();
  await send({ subject: 'One\u001b[2J', to: 'ada@example.com\r\nx' });
  const { link: _link, ...unlinked } = A_MAIL;
  expect(lines).toEqual(['mail to ada@example.com x: One [2J', `  ${SECRET_LINK}`]);
  lines.length = 0;
  const mailbox = new DevMailbox({ nowMs: () => 0, print: (line) => lines.push(line) });
  await mailbox.send({ ...unlinked, id: 'm-2' }, signal);
  expect(lines).toEqual(['mail to ada@example.com: Reset your password']);
});

test('[I147] the latest 200 mails are stored, each once', async () => {
  const { mailbox, send } = mailboxTestBed();
  for (let n = 0; n < 201; n++) await send({ id: `m-${n}` });
  await send({ id: 'm-200' });
  const ids = mailbox.list().map(({ id }) => id);
  expect(ids).toHaveLength(200);
  expect(ids[0]).toBe('m-200');
  expect(ids.at(-1)).toBe('m-1');
  expect(mailbox.find('m-0')).toBeUndefined();
});

test('[I148] the page shows every mail, the latest first, without scripts and only with its own style', async () => {
  const { send, get } = mailboxTestBed();
  expect(get('/emulator/mail').body).toContain('No emails yet.');
  await send({ id: 'm-1', subject: 'First' });
  await send({ id: 'm-2', subject: '<script>alert(1)</script>', link: 'javascript:alert(1)' });
  const { status, headers, body } = get('/emulator/mail');
  expect(status).toBe(200);
  expect(body.indexOf('&lt;script&gt;')).toBeLessThan(body.indexOf('First'));
  expect(body).toContain(`<a href="${SECRET_LINK}">`);
  expect(body).not.toMatch(/<script|\son\w+=|\sstyle=|href="javascript/i);
  expect(body).toContain('name="viewport"');
  expect(body).toContain('color-scheme: light dark');
  const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers['content-security-policy']).toContain(`default-src 'none'; style-src 'sha256-${hash}'`);
  expect(headers['cache-control']).toBe('no-store');
});

test('[I148] all mails are available as JSON, and each mail as its HTML', async () => {
  const { send, get } = mailboxTestBed();
  await send();
  const json = get('/emulator/mail.json');
  expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(JSON.parse(json.body)).toEqual({
    mails: [{ ...A_MAIL, id: 'm-1', receivedAtMs: 1_700_000_000_000 }],
  });
  const mail = get('/emulator/mail/m-1');
  expect(mail.body).toBe(A_MAIL.html);
  expect(mail.headers['content-security-policy']).toContain('sandbox');
  expect(mail.headers['content-security-policy']).not.toMatch(/script/);
});

test.each(['/emulator/mail/m-9', '/emulator/mail/', '/emulator/mailx', '/'])(
  '[I148] %s is answered 404',
  (path) => {
    expect(mailboxTestBed().get(path)).toMatchObject({
      status: 404,
      headers: { 'x-content-type-options': 'nosniff' },
    });
  },
);

test('[I787] the page of text messages shows the latest first, escaped, and loads again by itself', async () => {
  const lines: string[] = [];
  const phone = new DevPhone({ nowMs: () => 1_700_000_000_000, print: (line) => lines.push(line) });
  expect(answerSms(phone, '/emulator/sms').body).toContain('No text messages yet.');
  const message = {
    id: '1',
    project: 'demo',
    kind: 'SIGN_IN_OR_SIGN_UP',
    to: '+16505550101',
    text: '123456 <b>\nlast line',
    code: '123456',
    locale: 'en',
    createdAtMs: 0,
    origin: 'http://localhost:9000',
  } as const;
  await phone.send(message, new AbortController().signal);
  await phone.send({ ...message, id: '2', to: '+16505550102' }, new AbortController().signal);
  const { body, headers } = answerSms(phone, '/emulator/sms');
  expect(body.indexOf('+16505550102')).toBeLessThan(body.indexOf('+16505550101'));
  expect(body).toContain('123456 &lt;b&gt;');
  expect(body).toContain('http-equiv="refresh"');
  expect(headers).toMatchObject({ 'cache-control': 'no-store' });
  expect(JSON.parse(answerSms(phone, '/emulator/sms.json').body)).toMatchObject({
    messages: [{ id: '2' }, { id: '1' }],
  });
  expect(answerSms(phone, '/emulator/sms/1').status).toBe(404);
  expect(lines[0]).toBe('SMS to +16505550101: 123456 <b> last line');
});
