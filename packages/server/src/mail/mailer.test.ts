import { mailerContract, unavailableMailerContract } from './mailer.contract.ts';
import { MISSING_MAILER } from './mailer.ts';
import { MemoryMailer } from './outbox.fixture.ts';

mailerContract('memory', async () => {
  const mailer = new MemoryMailer();
  return {
    mailer,
    accepted: () =>
      mailer.sent.map(({ id, from, to, subject, text }) => ({
        id,
        recipients: [to],
        lines: [from.address, subject, text],
      })),
  };
});

unavailableMailerContract('no mail server', async () => MISSING_MAILER);
