import { expect, onTestFinished, test } from 'vitest';
import { randomBytes } from '../platform/random.ts';
import { Secret, secretBox } from '../platform/secret-box.ts';
import { secretKey } from '../platform/secret-key.ts';
import { MISSING_MAILER } from './mailer.ts';
import { A_MAIL } from './outbox.fixture.ts';
import { SmtpMailers, type SmtpMailersOptions } from './smtp-mailers.ts';
import type { MailServer } from './smtp-settings.ts';
import { smtpTestBed } from './smtp-test-bed.fixture.ts';

const BOX = secretBox(secretKey(new Uint8Array(32)), randomBytes);

function serverAt(port: number, senderAddress = 'us@shop.example'): MailServer {
  return { settings: { host: '127.0.0.1', port, security: 'none' }, senderAddress };
}

/** Returns mailers for settings that the test changes. */
function openMailers(shared: SmtpMailersOptions['shared'] = null) {
  const servers = new Map<string, MailServer>();
  const mailers = new SmtpMailers({ box: BOX, findServer: (project) => servers.get(project), shared });
  onTestFinished(() => mailers[Symbol.dispose]());
  const send = (project: string) =>
    mailers.find(project).send({ ...A_MAIL, project, id: 'id-1' }, new AbortController().signal);
  return { mailers, servers, send };
}

test('[I153] each project has its own mailer, which stays the same until the settings of the project change', () => {
  const { mailers, servers } = openMailers();
  servers.set('shop', serverAt(1));
  servers.set('club', serverAt(1));
  const first = mailers.find('shop');
  servers.set('shop', serverAt(1));
  expect(mailers.find('shop')).toBe(first);
  expect(mailers.find('club')).not.toBe(first);
  servers.set('shop', serverAt(2));
  const second = mailers.find('shop');
  expect(second).not.toBe(first);
  expect(mailers.find('shop')).toBe(second);
  servers.delete('shop');
  expect(mailers.find('shop')).toBe(MISSING_MAILER);
});

test('[I153] projects without their own server share one, which sets the sender address', async () => {
  const shared = await smtpTestBed({
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => done(null, { user: `${username}:${password}` }),
  });
  const own = await smtpTestBed();
  const { mailers, servers, send } = openMailers({
    settings: { host: '127.0.0.1', port: shared.port, security: 'none', user: 'ada' },
    password: new Secret('guess-me'),
    senderAddress: 'noreply@host.example',
  });
  servers.set('shop', serverAt(own.port));
  expect(mailers.find('club')).toBe(mailers.find('team'));
  await send('club');
  await send('shop');
  expect(shared.received).toMatchObject([{ from: 'noreply@host.example', user: 'ada:guess-me' }]);
  expect(shared.received[0]?.raw).toContain('Message-ID: <id-1@host.example>');
  expect(own.received).toMatchObject([{ from: 'us@shop.example' }]);
});

test('[I159] at most 1,000 mailers are cached: the least recently used one is removed', () => {
  const { mailers, servers } = openMailers();
  const names = Array.from({ length: 1_001 }, (_, index) => `p${index}`);
  for (const name of names) servers.set(name, serverAt(1));
  const [first, second] = names.slice(0, 1_000).map((name) => mailers.find(name));
  expect(mailers.find('p0')).toBe(first);
  mailers.find('p1000');
  expect(mailers.find('p0')).toBe(first);
  expect(mailers.find('p1')).not.toBe(second);
});

test('[I159] a mail that is being sent when the settings change still arrives', async () => {
  let arrived = (): void => undefined;
  let accept = (): void => undefined;
  const isSending = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const isAccepted = new Promise<void>((resolve) => {
    accept = resolve;
  });
  const slow = await smtpTestBed({
    onRcptTo: (_address, _session, done) => {
      arrived();
      void isAccepted.then(() => done());
    },
  });
  const { mailers, servers, send } = openMailers();
  servers.set('shop', serverAt(slow.port));
  const sent = send('shop');
  await isSending;
  servers.set('shop', serverAt(1));
  mailers.find('shop');
  accept();
  await sent;
  expect(slow.received).toHaveLength(1);
});
