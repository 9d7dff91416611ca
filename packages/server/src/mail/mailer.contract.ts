import { describe, expect, test } from 'vitest';
import { DeliveryFailure } from '../outbox/message.ts';
import type { Mailer, OutgoingMail } from './mailer.ts';
import { A_MAIL, SECRET_LINK } from './outbox.fixture.ts';

/** A mail as its mail server has accepted it. */
export interface AcceptedMail {
  readonly id: string;
  readonly recipients: readonly string[];
  /** The decoded lines of the header and the content, or of the parts that the mail server shows. */
  readonly lines: readonly string[];
}

/** A mailer and the mail server behind it. */
export interface MailerTestBed {
  readonly mailer: Mailer;
  accepted(): readonly AcceptedMail[];
}

/** Declares the tests that every mailer with a working mail server must pass. */
export function mailerContract(name: string, open: () => Promise<MailerTestBed>): void {
  describe(`mailer contract: ${name}`, () => {
    test('[I136] the mail server has the whole mail when `send` resolves', async () => {
      const { mailer, accepted } = await open();
      await mailer.send(mailWith({ id: 'id-1' }), unstopped());
      expect(accepted()).toMatchObject([{ id: 'id-1', recipients: [A_MAIL.to] }]);
      const text = accepted()[0]?.lines.join('\n') ?? '';
      for (const part of [A_MAIL.from.address, A_MAIL.subject, SECRET_LINK]) expect(text).toContain(part);
    });

    test('[I136] each attempt for a mail has the same id', async () => {
      const { mailer, accepted } = await open();
      for (let attempt = 0; attempt < 2; attempt += 1)
        await mailer.send(mailWith({ id: 'id-1' }), unstopped());
      expect(new Set(accepted().map(({ id }) => id))).toEqual(new Set(['id-1']));
    });

    test('[I144] mails that are sent at the same time arrive once each', async () => {
      const { mailer, accepted } = await open();
      const ids = Array.from({ length: 20 }, (_, index) => `id-${index}`);
      await Promise.all(ids.map((id) => mailer.send(mailWith({ id }), unstopped())));
      expect(
        accepted()
          .map(({ id }) => id)
          .sort(),
      ).toEqual(ids.sort());
    });

    test.each([
      ['several addresses', 'ada@example.com, eve@example.com'],
      ['a command', 'ada@example.com>\r\nRCPT TO:<eve@example.com'],
      ['a header', 'ada@example.com\r\nBcc: eve@example.com'],
    ])('[I144] an address that contains %s adds no recipient', async (_what, to) => {
      const { mailer, accepted } = await open();
      await mailer.send(mailWith({ to }), unstopped()).catch(requireFailure);
      expect(accepted().flatMap(({ recipients }) => recipients)).not.toContain('eve@example.com');
      expect(
        accepted()
          .flatMap(({ lines }) => lines)
          .filter(isBcc),
      ).toEqual([]);
    });

    test.each<[string, Partial<OutgoingMail>]>([
      ['subject', { subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nBcc: eve@example.com' }],
      ['sender’s name', { from: { ...A_MAIL.from, name: 'Chess\r\nBcc: eve@example.com' } }],
      ['reply-to address', { replyTo: 'help@example.com\r\nBcc: eve@example.com' }],
    ])('[I144] a line break in the %s adds neither a header nor a recipient', async (_what, change) => {
      const { mailer, accepted } = await open();
      await mailer.send(mailWith(change), unstopped()).catch(requireFailure);
      expect(accepted().flatMap(({ recipients }) => recipients)).not.toContain('eve@example.com');
      expect(
        accepted()
          .flatMap(({ lines }) => lines)
          .filter(isBcc),
      ).toEqual([]);
    });

    test('[I700] a mail that is stopped before it is sent fails as unavailable, and does not arrive', async () => {
      const { mailer, accepted } = await open();
      const failure = await failureOf(mailer.send(mailWith({ id: 'id-1' }), AbortSignal.abort()));
      expect(failure.kind).toBe('unavailable');
      expectSafe(failure);
      await mailer.send(mailWith({ id: 'id-2' }), unstopped());
      expect(accepted().map(({ id }) => id)).toEqual(['id-2']);
    });
  });
}

/** Declares the tests that every mailer without a working mail server must pass. */
export function unavailableMailerContract(name: string, open: () => Promise<Mailer>): void {
  describe(`unavailable mailer contract: ${name}`, () => {
    test('[I143][I145] every mail fails as unavailable, and the error contains neither link nor code', async () => {
      const mailer = await open();
      for (const id of ['id-1', 'id-2']) {
        const failure = await failureOf(mailer.send(mailWith({ id }), unstopped()));
        expect(failure.kind).toBe('unavailable');
        expectSafe(failure);
      }
    });
  });
}

function mailWith(change: Partial<OutgoingMail>): OutgoingMail {
  return { ...A_MAIL, id: 'id-0', ...change };
}

/** Returns a signal that is never aborted. */
function unstopped(): AbortSignal {
  return new AbortController().signal;
}

function isBcc(line: string): boolean {
  return /^bcc:/i.test(line);
}

async function failureOf(sending: Promise<void>): Promise<DeliveryFailure> {
  const failure = await sending.then(() => undefined, requireFailure);
  if (failure === undefined) throw new Error('The mail was accepted.');
  return failure;
}

function requireFailure(error: unknown): DeliveryFailure {
  if (error instanceof DeliveryFailure) return error;
  throw new Error('A mailer rejects only with a DeliveryFailure.', { cause: error });
}

/** Requires that operators can read the message in a log: it is one line, without links and codes. */
function expectSafe({ message }: DeliveryFailure): void {
  expect(message).not.toBe('');
  expect(message).not.toMatch(/[\r\n]/);
  expect(message).not.toContain('oobCode');
}
