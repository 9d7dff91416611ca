import type { Books, BooksTurn } from '../books/books.ts';
import { memoryBooks, TestClock } from '../books/memory-books.fixture.ts';
import { createLogger } from '../ops/logger.ts';
import { randomBytes } from '../ops/random.ts';
import { secretBox } from '../secrets/secret-box.ts';
import { secretKey } from '../secrets/secret-key.ts';
import type { Mail, OutgoingMail } from './mail.ts';
import type { MailFailure } from './mail-failure.ts';
import { type MailLimits, UNLIMITED_MAILS } from './mail-limits.ts';
import { MailWorker } from './mail-worker.ts';
import type { Mailer } from './mailer.ts';
import { type EnqueueOutcome, Outbox } from './outbox.ts';

export const SECRET_LINK = 'https://auth.example.com/action?oobCode=c0dec0dec0dec0dec0dec0dec0de';

export const A_MAIL: Mail = {
  project: 'demo',
  kind: 'resetPassword',
  from: { name: 'Chess', address: 'noreply@example.com' },
  to: 'ada@example.com',
  subject: 'Reset your password',
  text: `Go to\n${SECRET_LINK}\n`,
  html: `<a href="${SECRET_LINK}">Reset</a>`,
  link: SECRET_LINK,
};

/** Keeps what it is given, after failing as often and in the way it was told to. */
export class MemoryMailer implements Mailer {
  readonly sent: OutgoingMail[] = [];
  readonly failures: MailFailure[] = [];

  send(mail: OutgoingMail): Promise<void> {
    const failure = this.failures.shift();
    if (failure !== undefined) return Promise.reject(failure);
    this.sent.push(mail);
    return Promise.resolve();
  }
}

/** A log that tests read. */
function keptLog() {
  const lines: string[] = [];
  return { lines, logger: createLogger('info', { write: (line) => lines.push(line) }) };
}

/** Books that refuse changes while there is no room. */
function booksOn(disk: { readonly isFull: boolean }, books: Books): Books {
  return {
    read: (body) => books.read(body),
    watch: (watcher) => books.watch(watcher),
    change: <T>(body: (turn: BooksTurn) => T) =>
      disk.isFull ? Promise.reject(new Error('The disk is full.')) : books.change(body),
  };
}

interface ServerOptions {
  readonly limits?: MailLimits;
  readonly mailer?: Mailer;
  readonly findMailer?: (project: string) => Mailer;
  readonly keyByte?: number;
}

/** Books and a clock that outlive the servers which are started over them. */
export function mailStand() {
  const clock = new TestClock();
  const disk = { isFull: false };
  const books = booksOn(disk, memoryBooks(clock));
  return {
    clock,
    disk,
    books,
    start({ limits = UNLIMITED_MAILS, mailer, findMailer, keyByte = 1 }: ServerOptions = {}) {
      const memory = new MemoryMailer();
      const { logger, lines } = keptLog();
      const box = secretBox(secretKey(new Uint8Array(32).fill(keyByte)), randomBytes);
      const outbox = new Outbox({ books, box, randomBytes, limits });
      const find = findMailer ?? (() => mailer ?? memory);
      const worker = new MailWorker({ outbox, findMailer: find, clock, logger });
      const enqueue = (mail: Partial<Mail> = {}): Promise<EnqueueOutcome> =>
        books.change((turn) => outbox.enqueue(turn, { ...A_MAIL, ...mail }));
      return { outbox, worker, mailer: memory, lines, enqueue };
    },
  };
}
