import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';
import type { AddressCheck } from '../platform/network/public-address.ts';
import { randomBytes } from '../platform/random.ts';
import { Secret, secretBox } from '../platform/secret-box.ts';
import { secretKey } from '../platform/secret-key.ts';
import type { OutgoingMail } from './mailer.ts';
import { A_MAIL } from './outbox.fixture.ts';
import { SmtpMailer } from './smtp-mailer.ts';
import { type SmtpSettings, sealSmtpPassword } from './smtp-settings.ts';

export interface ReceivedMessage {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly isEncrypted: boolean;
  readonly user: string | undefined;
}

/** Returns a response in the form that the fake SMTP server's library expects. */
export function smtpAnswer(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}

/** Starts a mail server on this machine for one test. */
export async function smtpTestBed(options: SMTPServerOptions = {}) {
  const received: ReceivedMessage[] = [];
  let connections = 0;
  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
          isEncrypted: session.secure,
          user: typeof session.user === 'string' ? session.user : undefined,
        });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  return {
    received,
    port: (listening.address() as AddressInfo).port,
    countConnections: () => connections,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

interface SmtpClientOptions {
  readonly settings: Partial<SmtpSettings> & Pick<SmtpSettings, 'port'>;
  readonly password?: string;
  readonly trusted?: string;
  readonly mayReach?: AddressCheck;
}

/** Returns a mailer for one test, and a function that sends a mail with it. */
export function smtpClient({ settings, password, ...more }: SmtpClientOptions) {
  const box = secretBox(secretKey(new Uint8Array(32)), randomBytes);
  const plain: SmtpSettings = { host: '127.0.0.1', security: 'none', ...settings };
  const sealed =
    password === undefined ? {} : { sealedPassword: sealSmtpPassword(box, plain, new Secret(password)) };
  const mailer = new SmtpMailer({
    settings: { ...sealed, ...plain },
    box,
    ...more,
  });
  onTestFinished(() => mailer[Symbol.dispose]());
  const { signal } = new AbortController();
  return {
    mailer,
    send: (mail: Partial<OutgoingMail> = {}) => mailer.send({ ...A_MAIL, id: 'id-1', ...mail }, signal),
  };
}
