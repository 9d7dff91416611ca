import { DevMailbox } from './dev-mailbox.ts';
import { mailerContract } from './mailer.contract.ts';

mailerContract('development mailbox', async () => {
  const printed: string[] = [];
  const mailbox = new DevMailbox({ nowMs: () => 5, print: (line) => printed.push(line) });
  return {
    mailer: mailbox,
    accepted: () =>
      mailbox.list().map(({ id, from, to, text }) => ({
        id,
        recipients: [to],
        lines: [from.address, text, ...printed],
      })),
  };
});
