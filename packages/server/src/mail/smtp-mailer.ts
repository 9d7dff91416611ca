import type { Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import type { SecretBox } from '../secrets/secret-box.ts';
import { type AddressCheck, connectChecked } from './connect-checked.ts';
import type { OutgoingMail } from './mail.ts';
import type { Mailer } from './mailer.ts';
import { smtpFailure } from './smtp-failure.ts';
import { openSmtpPassword, type SmtpSecurity, type SmtpSettings } from './smtp-settings.ts';

export interface SmtpMailerOptions {
  readonly settings: SmtpSettings;
  /** Opens the password of the settings. */
  readonly box: SecretBox;
  /** Address that mails come from, whatever they say themselves: they may have waited since before it was another. */
  readonly senderAddress?: string;
  /** Certificates in PEM that are trusted instead of the usual authorities, for servers of one's own. */
  readonly trusted?: string;
  /** Addresses that the server may be at; left out, any. */
  readonly mayReach?: AddressCheck;
}

/** Connections at the same time. */
const MAX_CONNECTIONS = 3;

/** How long each step may take: finding the host, connecting, the greeting, an answer. */
const STEP_TIMEOUT_MS = 10_000;

/** How long a mail may take in all, whatever the server does. */
const MAIL_TIMEOUT_MS = 60_000;

/** An unused connection is closed after this, and not by the time-out of a step. */
const IDLE_MS = 5_000;

/** Below, a server's answers are not read on. */
const MAX_RESPONSE_BYTES = 65_536;

const SECURITY = {
  ssl: { secure: true },
  starttls: { secure: false, requireTLS: true },
  none: { secure: false, ignoreTLS: true },
} as const satisfies Record<SmtpSecurity, object>;

/** Sends mails by SMTP over a few connections that are kept for a while. Certificates are always checked. */
export class SmtpMailer implements Mailer, Disposable {
  readonly #options: SmtpMailerOptions;
  #transport: ReturnType<typeof openTransport> | undefined;

  constructor(options: SmtpMailerOptions) {
    this.#options = options;
  }

  async send(mail: OutgoingMail, signal: AbortSignal): Promise<void> {
    try {
      this.#transport ??= openTransport(this.#options);
      const from = { ...mail.from, address: this.#options.senderAddress ?? mail.from.address };
      await this.#transport.sendMail({
        messageId: `<${mail.id}@${from.address.replace(/^.*@/, '')}>`,
        from,
        to: { name: '', address: mail.to },
        ...(mail.replyTo === undefined ? {} : { replyTo: { name: '', address: mail.replyTo } }),
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        // Answers of machines are of no use to anybody.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(MAIL_TIMEOUT_MS)]),
      });
    } catch (error) {
      throw smtpFailure(error);
    }
  }

  /** Closes the connections once they have nothing to send; what is sent later opens others. */
  close(): void {
    this.#transport?.close();
    this.#transport = undefined;
  }

  [Symbol.dispose](): void {
    this.#transport?.close({ force: true });
  }
}

function openTransport({ settings, box, trusted, mayReach }: SmtpMailerOptions) {
  const { host, port, security, user } = settings;
  const password = openSmtpPassword(box, settings);
  return createTransport({
    pool: true,
    host,
    port,
    ...(mayReach === undefined ? {} : { getSocket: checkedSocket(settings, mayReach) }),
    ...SECURITY[security],
    ...(user === undefined || password === undefined ? {} : { auth: { user, pass: password.reveal() } }),
    tls: {
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(trusted === undefined ? {} : { ca: trusted }),
    },
    maxConnections: MAX_CONNECTIONS,
    // The outbox tries again itself.
    maxRequeues: 1,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    dnsTimeout: STEP_TIMEOUT_MS,
    idleTimeout: IDLE_MS,
    maxResponseSize: MAX_RESPONSE_BYTES,
    // A mail is what is given, and never something that its text names.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Takes what a transport is given instead of a connection that it makes itself. */
type ReceiveSocket = (error: Error | null, made?: { readonly connection: Socket }) => void;

/** Makes the connections of a transport, which goes on with them as with its own: certificates are those of the host's name. */
function checkedSocket({ host, port }: SmtpSettings, mayReach: AddressCheck) {
  return (_options: unknown, done: ReceiveSocket): void => {
    connectChecked({ host, port, timeoutMs: STEP_TIMEOUT_MS }, mayReach).then(
      (connection) => done(null, { connection }),
      (error: Error) => done(error),
    );
  };
}
