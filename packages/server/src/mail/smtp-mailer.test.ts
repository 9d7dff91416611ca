import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { DeliveryFailure } from '../outbox/message.ts';
import { isPublicAddress } from '../platform/network/public-address.ts';
import { randomBytes } from '../platform/random.ts';
import { Secret, secretBox } from '../platform/secret-box.ts';
import { secretKey } from '../platform/secret-key.ts';
import { loopbackCertificate } from './loopback-certificate.fixture.ts';
import { type AcceptedMail, mailerContract, unavailableMailerContract } from './mailer.contract.ts';
import { mailTestBed, SECRET_LINK } from './outbox.fixture.ts';
import { sealSmtpPassword } from './smtp-settings.ts';
import { type ReceivedMessage, smtpAnswer, smtpClient, smtpTestBed } from './smtp-test-bed.fixture.ts';

const BOX = secretBox(secretKey(new Uint8Array(32)), randomBytes);
const CERTIFICATE = loopbackCertificate();

async function failureOf(sending: Promise<void>): Promise<DeliveryFailure> {
  const failure = await sending.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof DeliveryFailure) return failure;
  throw new Error('No failure', { cause: failure });
}

test('[I144] a mail arrives as text and as HTML, from the sender to its only recipient', async () => {
  const { port, received } = await smtpTestBed();
  const { send } = smtpClient({ settings: { port } });
  await send({
    from: { name: 'Schach, Zürich', address: 'noreply@example.com' },
    replyTo: 'help@example.com',
  });
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ from: 'noreply@example.com', to: ['ada@example.com'] });
  const raw = received[0]?.raw ?? '';
  expect(raw).toMatch(/^From: =\?UTF-8\?.*<noreply@example\.com>\r$/m);
  expect(raw).toContain('\r\nTo: ada@example.com\r\n');
  expect(raw).toContain('\r\nReply-To: help@example.com\r\n');
  expect(raw).toContain('\r\nSubject: Reset your password\r\n');
  expect(raw).toContain('\r\nMessage-ID: <id-1@example.com>\r\n');
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(raw).toContain('Content-Type: text/plain; charset=utf-8');
  expect(raw).toContain('Content-Type: text/html; charset=utf-8');
});

test('[I144] connections are reused, and there are at most three', async () => {
  const { port, received, countConnections } = await smtpTestBed();
  const { send } = smtpClient({ settings: { port } });
  await Promise.all(Array.from({ length: 12 }, (_, n) => send({ id: `id-${n}` })));
  expect(received).toHaveLength(12);
  expect(countConnections()).toBeLessThanOrEqual(3);
});

test.each(['ssl', 'starttls'] as const)(
  '[I144] with %s, the mail and the password are sent encrypted',
  async (security) => {
    const { port, received } = await smtpTestBed({
      ...CERTIFICATE,
      secure: security === 'ssl',
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        password === 'pass' ? done(null, { user: username }) : done(smtpAnswer(535, 'Wrong')),
    });
    const settings = { port, security, user: 'hearth' };
    await smtpClient({ settings, password: 'pass', trusted: CERTIFICATE.cert }).send();
    expect(received).toMatchObject([{ isEncrypted: true, user: 'hearth' }]);

    const failure = await failureOf(
      smtpClient({ settings, password: 'other', trusted: CERTIFICATE.cert }).send(),
    );
    expect(failure.kind).toBe('unavailable');
    expect(failure.message).toContain('535');
    expect(failure.message).not.toContain('other');
  },
);

test.each(['ssl', 'starttls'] as const)(
  '[I144] with %s, a certificate of an unknown authority is rejected',
  async (security) => {
    const { port, received } = await smtpTestBed({ ...CERTIFICATE, secure: security === 'ssl' });
    const failure = await failureOf(smtpClient({ settings: { port, security } }).send());
    expect(failure.kind).toBe('unavailable');
    expect(failure.message).toContain('certificate');
    expect(received).toEqual([]);
  },
);

test('[I146] a password works only for the server that it was entered for', async () => {
  const { port, countConnections } = await smtpTestBed();
  const settings = { port, user: 'hearth' };
  const sealedPassword = sealSmtpPassword(BOX, { host: 'mail.example.com', ...settings }, new Secret('pass'));
  const failure = await failureOf(smtpClient({ settings: { ...settings, sealedPassword } }).send());
  expect(failure.kind).toBe('unavailable');
  expect(failure.message).toBe('The password of the mail server cannot be decrypted. Enter it again.');
  expect(countConnections()).toBe(0);
});

test('[I144] if a server has no STARTTLS, nothing is sent unencrypted', async () => {
  const { port, received } = await smtpTestBed({ disabledCommands: ['STARTTLS'] });
  const failure = await failureOf(smtpClient({ settings: { port, security: 'starttls' } }).send());
  expect(failure.kind).toBe('unavailable');
  expect(received).toEqual([]);
});

test.each([
  [450, 'temporary'],
  [452, 'temporary'],
  [550, 'permanent'],
  [554, 'permanent'],
  [421, 'unavailable'],
])('[I145] a recipient rejected with %d is a %s failure', async (code, kind) => {
  const { port } = await smtpTestBed({ onRcptTo: (_to, _session, done) => done(smtpAnswer(code, 'No')) });
  const failure = await failureOf(smtpClient({ settings: { port } }).send());
  expect(failure.kind).toBe(kind);
  expect(failure.message).toContain(`${code}`);
});

test.each([
  [451, 'temporary'],
  [554, 'permanent'],
])(
  '[I143][I145] a mail rejected with %d is a %s failure, and the error does not contain its link',
  async (code, kind) => {
    const { port } = await smtpTestBed({
      onData: (stream, _session, done) => {
        stream.on('end', () => done(smtpAnswer(code, `Spam ${SECRET_LINK}`)));
        stream.resume();
      },
    });
    const failure = await failureOf(smtpClient({ settings: { port } }).send());
    expect(failure.kind).toBe(kind);
    expect(failure.message).toContain('Spam');
    expect(failure.message).not.toContain('oobCode');
  },
);

test('[I145] a rejected sender is a temporary failure, because operators can correct the sender', async () => {
  const { port } = await smtpTestBed({
    onMailFrom: (_from, _session, done) => done(smtpAnswer(553, 'Not yours')),
  });
  expect((await failureOf(smtpClient({ settings: { port } }).send())).kind).toBe('temporary');
});

mailerContract('SMTP', async () => {
  const { port, received } = await smtpTestBed();
  const { mailer } = smtpClient({ settings: { port } });
  return { mailer, accepted: () => received.map(acceptedMail) };
});

unavailableMailerContract('SMTP without a server', async () => {
  const { port, close } = await smtpTestBed();
  await close();
  return smtpClient({ settings: { port } }).mailer;
});

/** Returns a received mail with its content decoded from quoted-printable. The header stays as it is. */
function acceptedMail({ to, raw }: ReceivedMessage): AcceptedMail {
  const [header = '', ...content] = raw.split('\r\n\r\n');
  const decoded = content
    .join('\r\n\r\n')
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const id = /^Message-ID: <(.*)@/m.exec(header)?.[1] ?? '';
  return { id, recipients: to, lines: [...header.split('\r\n'), ...decoded.split('\r\n')] };
}

test('[I145] a server that disconnects is unavailable', async () => {
  const server = createServer((socket) => socket.destroy());
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect((await failureOf(smtpClient({ settings: { port } }).send())).kind).toBe('unavailable');
});

test('[I145] a mail with an invalid address is a permanent failure', async () => {
  const { port } = await smtpTestBed();
  expect((await failureOf(smtpClient({ settings: { port } }).send({ to: '' }))).kind).toBe('permanent');
});

test('[I138][I144] a mail waits while the server is down, and arrives when the server is available again', async () => {
  const { clock, start } = mailTestBed();
  const closed = await smtpTestBed();
  await closed.close();
  const down = smtpClient({ settings: { port: closed.port } });
  const first = start({ mailer: down.mailer });
  await first.enqueue();
  await first.worker.deliverDue();
  expect(first.outbox.status()).toMatchObject({ waiting: 1, lastFailure: { project: 'demo' } });
  expect(first.outbox.status().lastFailure?.reason).toContain('ECONNREFUSED');

  clock.ms += 60_000;
  const { port, received } = await smtpTestBed();
  const second = start({ mailer: smtpClient({ settings: { port } }).mailer });
  await second.worker.deliverDue();
  expect(received).toHaveLength(1);
  expect(second.outbox.status()).toMatchObject({ waiting: 0, dead: 0 });
});

test('[I664] if only some addresses are allowed, the server does not connect to others', async () => {
  const { port, countConnections } = await smtpTestBed();
  for (const host of ['127.0.0.1', 'localhost', '::1', '::ffff:127.0.0.1']) {
    const { send } = smtpClient({ settings: { host, port }, mayReach: isPublicAddress });
    const failure = await failureOf(send());
    expect(failure).toMatchObject({ kind: 'unavailable' });
    expect(failure.message).toMatch(
      /^The mail server is not at a public address\. .* --allow-private-smtp\.$/,
    );
  }
  expect(countConnections()).toBe(0);
});

test.each([
  ['ssl', '127.0.0.1'],
  ['starttls', '127.0.0.1'],
  ['none', 'localhost'],
] as const)('[I664] the connection goes to the checked address, with %s at %s', async (security, host) => {
  const { port, received } = await smtpTestBed({ ...CERTIFICATE, secure: security === 'ssl' });
  const checked: string[] = [];
  const { send } = smtpClient({
    settings: { host, port, security },
    trusted: CERTIFICATE.cert,
    mayReach: (address) => {
      checked.push(address);
      return address === '127.0.0.1';
    },
  });
  await send();
  expect(received).toMatchObject([{ isEncrypted: security !== 'none' }]);
  expect(checked).toContain('127.0.0.1');
});

test.each(['ssl', 'starttls'] as const)(
  '[I664] the certificate must match the host name, not the address, with %s',
  async (security) => {
    const { port, received } = await smtpTestBed({ ...CERTIFICATE, secure: security === 'ssl' });
    const settings = { host: 'localhost', port, security };
    const mayReach = (address: string) => address === '127.0.0.1';
    const failure = await failureOf(smtpClient({ settings, trusted: CERTIFICATE.cert, mayReach }).send());
    expect(failure.message).toContain('Host: localhost');
    expect(received).toHaveLength(0);
  },
);

test('[I664] if no mail server listens at an allowed address, the error is that of the connection', async () => {
  const testBed = await smtpTestBed();
  await testBed.close();
  const { send } = smtpClient({ settings: { port: testBed.port }, mayReach: () => true });
  expect(await failureOf(send())).toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('ECONNREFUSED'),
  });
});

test.each(['SSH-2.0-OpenSSH_9.9 inner-banner\r\n', '554 inner-banner\r\n', '-ERR inner-banner\r\n'])(
  '[I665] the error does not repeat the response of a server that does not speak SMTP: %j',
  async (greeting) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(greeting);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const { port } = server.address() as AddressInfo;
    const failure = await failureOf(smtpClient({ settings: { port } }).send());
    expect(failure.kind).toBe('unavailable');
    expect(failure.message).not.toContain('inner-banner');
    expect(failure.message).toMatch(
      /^The server does not respond like a mail server( \(554\))?\. Check the host and the port\.$/,
    );
  },
);
