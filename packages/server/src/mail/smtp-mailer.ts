import type { Socket } from 'node:net';
import type { NodemailerError } from 'nodemailer';
import { DeliveryFailure, type DeliveryFailureKind } from '../outbox/message.ts';
import { type AddressCheck, Unreachable } from '../platform/network/public-address.ts';
import { type SecretBox, UnsealFailure } from '../platform/secret-box.ts';
import { type Mailer, type OutgoingMail, singleLine } from './mailer.ts';
import { connectChecked } from './smtp-connection.ts';
import { openSmtpPassword, type SmtpSecurity, type SmtpSettings } from './smtp-settings.ts';

/** Maximum length of the reason of a failure, in characters. */
const MAX_REASON_LENGTH = 300;

/**
 * Matches parts of an email that servers may quote in their errors: URLs, and words that are long enough to be a
 * code.
 */
const QUOTED = /[a-z][a-z0-9+.-]*:\/\/\S+|[\w-]{24,}/gi;

/** Returns a server's error for operators: one line of at most 300 characters, without links and codes. */
export function failureReason(text: string): string {
  return singleLine(text).replace(QUOTED, '…').slice(0, MAX_REASON_LENGTH);
}

/** Errors of the connection or of the sign-in. They do not depend on the mail. */
const UNAVAILABLE: ReadonlySet<unknown> = new Set([
  'ECONNECTION',
  'ETIMEDOUT',
  'ESOCKET',
  'EDNS',
  'ETLS',
  'EPROTOCOL',
  'EAUTH',
  'ENOAUTH',
  // The total time limit was exceeded.
  'EABORT',
]);

/** The response code of a server that closes the connection. */
const CLOSING = 421;

/** Returns the failure for an error of the SMTP client, or for one of the decryption of its password. */
function smtpFailure(error: unknown): DeliveryFailure {
  if (error instanceof UnsealFailure)
    return new DeliveryFailure(
      'unavailable',
      'The password of the mail server cannot be decrypted. Enter it again.',
      {
        cause: error,
      },
    );
  if (error instanceof Unreachable)
    return new DeliveryFailure('unavailable', failureReason(error.message), { cause: error });
  if (!(error instanceof Error))
    return new DeliveryFailure('temporary', 'Sending failed without an error message.');
  return new DeliveryFailure(kindOf(error), reasonOf(error), { cause: error });
}

/**
 * Returns the reason for the failure. Hides the response of a server that does not speak SMTP: otherwise the
 * owner of a project could enter another service as the mail server and read its response.
 */
function reasonOf({ code, message, responseCode }: NodemailerError): string {
  if (code !== 'EPROTOCOL') return failureReason(message);
  const answer = responseCode === undefined ? '' : ` (${responseCode})`;
  return `The server does not respond like a mail server${answer}. Check the host and the port.`;
}

function kindOf({ code, command, permanent, responseCode }: NodemailerError): DeliveryFailureKind {
  if (UNAVAILABLE.has(code) || responseCode === CLOSING) return 'unavailable';
  // The sender was rejected. An operator can fix that, so the mail stays in the queue.
  if (command === 'MAIL FROM' && responseCode !== undefined) return 'temporary';
  const isUnsendable = responseCode === undefined && (code === 'EENVELOPE' || code === 'EMESSAGE');
  return permanent === true || isUnsendable ? 'permanent' : 'temporary';
}

export interface SmtpMailerOptions {
  readonly settings: SmtpSettings;
  /** Decrypts the password of the settings. */
  readonly box: SecretBox;
  /** Replaces the sender address of each mail, because the address may have changed since the mail was queued. */
  readonly senderAddress?: string;
  /** Certificates in PEM that are trusted instead of the system's authorities, for private mail servers. */
  readonly trusted?: string;
  /** Decides whether the mailer may connect to an address. If absent, all addresses are allowed. */
  readonly mayReach?: AddressCheck;
}

/** Maximum number of simultaneous connections. */
const MAX_CONNECTIONS = 3;

/** Time limit of each step, in ms: resolving the host, connecting, the greeting, a response. */
const STEP_TIMEOUT_MS = 10_000;

/** Total time limit for one mail, in ms. */
const MAIL_TIMEOUT_MS = 60_000;

/**
 * Time after which the pool closes an unused connection, in ms. Shorter than `STEP_TIMEOUT_MS`, so that the pool closes
 * the connection before that limit does.
 */
const IDLE_MS = 5_000;

/** Maximum size of a mail server's response. */
const MAX_RESPONSE_BYTES = 65_536;

const SECURITY = {
  ssl: { secure: true },
  starttls: { secure: false, requireTLS: true },
  none: { secure: false, ignoreTLS: true },
} as const satisfies Record<SmtpSecurity, object>;

/** Sends mails by SMTP over a small pool of connections. Always verifies certificates. */
export class SmtpMailer implements Mailer, Disposable {
  readonly #options: SmtpMailerOptions;
  #transport: ReturnType<typeof openTransport> | undefined;

  constructor(options: SmtpMailerOptions) {
    this.#options = options;
  }

  async send(mail: OutgoingMail, signal: AbortSignal): Promise<void> {
    try {
      // Loaded only now, because loading takes time at the start, and most servers in development send no mail.
      const nodemailer = await import('nodemailer');
      this.#transport ??= openTransport(nodemailer, this.#options);
      const from = { ...mail.from, address: this.#options.senderAddress ?? mail.from.address };
      await this.#transport.sendMail({
        messageId: `<${mail.id}@${from.address.replace(/^.*@/, '')}>`,
        from,
        to: { name: '', address: mail.to },
        ...(mail.replyTo === undefined ? {} : { replyTo: { name: '', address: mail.replyTo } }),
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        // Prevents automatic replies.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(MAIL_TIMEOUT_MS)]),
      });
    } catch (error) {
      throw smtpFailure(error);
    }
  }

  /** Closes the connections when they have no more mails to send. Later mails open new ones. */
  close(): void {
    this.#transport?.close();
    this.#transport = undefined;
  }

  [Symbol.dispose](): void {
    this.#transport?.close({ force: true });
  }
}

function openTransport(
  { createTransport }: typeof import('nodemailer'),
  { settings, box, trusted, mayReach }: SmtpMailerOptions,
) {
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
    // No retries here: the outbox has its own.
    maxRequeues: 1,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    dnsTimeout: STEP_TIMEOUT_MS,
    idleTimeout: IDLE_MS,
    maxResponseSize: MAX_RESPONSE_BYTES,
    // The text of a mail must not make the library read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** Receives a connection for the transport, or an error. */
type ReceiveSocket = (error: Error | null, made?: { readonly connection: Socket }) => void;

/**
 * Returns a function that opens connections of a transport to checked addresses. The transport still verifies
 * certificates against the host name.
 */
function checkedSocket({ host, port }: SmtpSettings, mayReach: AddressCheck) {
  return (_options: unknown, done: ReceiveSocket): void => {
    connectChecked({ host, port, timeoutMs: STEP_TIMEOUT_MS }, mayReach).then(
      (connection) => done(null, { connection }),
      (error: Error) => done(error),
    );
  };
}
