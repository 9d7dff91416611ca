import { expect, onTestFinished, test } from 'vitest';
import { MAIL_POLL_MS } from '../../mail/queue.ts';
import { SmtpMailers } from '../../mail/smtp-mailers.ts';
import { smtpAnswer, smtpTestBed } from '../../mail/smtp-test-bed.fixture.ts';
import { OutboxWorker } from '../../outbox/worker.ts';
import { createLogger } from '../../platform/logger.ts';
import { AuthClient } from '../api/auth-client.fixture.ts';
import { findOwnServer, INITIAL_MAIL } from './mail-settings.ts';

const EMAIL = 'ann@example.com';
const MINUTE_MS = 60_000;

/** Opens a client, and a worker that sends the client's mails when the test calls `deliverDue`. */
async function openSending() {
  const client = await AuthClient.open();
  const { projects, outbox, secretBox } = client.services;
  const mailers = new SmtpMailers({
    box: secretBox,
    findServer: (project) => findOwnServer(projects.find(project)?.settings.mail ?? INITIAL_MAIL),
    shared: null,
  });
  onTestFinished(() => mailers[Symbol.dispose]());
  const logger = createLogger('silent', { write: () => undefined });
  const findMailer = (project: string) => mailers.find(project);
  const worker = new OutboxWorker({
    outbox,
    findSender: findMailer,
    noun: 'an email',
    pollMs: MAIL_POLL_MS,
    clock: client.clock,
    logger,
  });
  return {
    client,
    worker,
    useServer: (port: number) => {
      const smtp = { senderEmail: 'us@shop.example', host: '127.0.0.1', port, securityMode: 'NONE' };
      const body = { notification: { sendEmail: { method: 'CUSTOM_SMTP', smtp } } };
      const mask = 'notification.sendEmail';
      const url = `/v2/projects/demo/config?updateMask=${mask}`;
      return client.request('PATCH', url, JSON.stringify(body), { authorization: 'Bearer owner' });
    },
    ask: () =>
      client.post('accounts:sendOobCode', {
        requestType: 'EMAIL_SIGNIN',
        email: EMAIL,
        continueUrl: 'http://localhost/',
      }),
  };
}

test('[I155] a mail that waits for the mail server is delivered later, once', async () => {
  let isDown = true;
  const { port, received } = await smtpTestBed({
    onMailFrom: (_address, _session, done) => done(isDown ? smtpAnswer(421, 'Closing') : undefined),
  });
  const { client, worker, useServer, ask } = await openSending();
  await useServer(port);
  expect((await ask()).status).toBe(200);
  await worker.deliverDue();
  const { outbox } = client.services;
  expect(outbox.status()).toMatchObject({ waiting: 1, lastFailure: { project: 'demo' } });
  isDown = false;
  client.clock.ms += MINUTE_MS;
  await worker.deliverDue();
  await worker.deliverDue();
  expect(received).toMatchObject([{ to: [EMAIL] }]);
  expect(outbox.status()).toMatchObject({ waiting: 0, dead: 0 });
});

test('[I153] waiting mails are sent through a mail server that is set up later, from its sender address', async () => {
  const { port, received } = await smtpTestBed();
  const { client, worker, useServer, ask } = await openSending();
  await ask();
  await worker.deliverDue();
  expect(client.services.outbox.status()).toMatchObject({
    waiting: 1,
    lastFailure: { reason: 'No mail server is set up.' },
  });
  await useServer(port);
  client.clock.ms += MINUTE_MS;
  await worker.deliverDue();
  expect(received).toMatchObject([{ from: 'us@shop.example', to: [EMAIL] }]);
});
