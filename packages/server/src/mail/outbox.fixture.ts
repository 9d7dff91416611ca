import { type DeliveryFailure, requireNotStopped } from '../outbox/message.ts';
import { type EnqueueOutcome, Outbox } from '../outbox/outbox.ts';
import { OutboxWorker } from '../outbox/worker.ts';
import { createLogger } from '../platform/logger.ts';
import { randomBytes } from '../platform/random.ts';
import { secretBox } from '../platform/secret-box.ts';
import { secretKey } from '../platform/secret-key.ts';
import { memoryRecordStore, TestClock } from '../records/memory-records.fixture.ts';
import type { RecordStore, RecordStoreTransaction } from '../records/store.ts';
import type { NotPromise } from '../storage/kv/store.ts';
import { type MailLimits, UNLIMITED_MAILS } from './limits.ts';
import type { Mail, Mailer, OutgoingMail } from './mailer.ts';
import { MAIL_POLL_MS, mailQueue } from './queue.ts';

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

/** A mailer that stores the mails it receives. It first fails as often as the test has set. */
export class MemoryMailer implements Mailer {
  readonly sent: OutgoingMail[] = [];
  readonly failures: DeliveryFailure[] = [];

  async send(mail: OutgoingMail, signal: AbortSignal): Promise<void> {
    requireNotStopped(signal);
    const failure = this.failures.shift();
    if (failure !== undefined) throw failure;
    this.sent.push(mail);
  }
}

/** Returns a logger and the lines that it writes. */
function recordingLogger() {
  const lines: string[] = [];
  return { lines, logger: createLogger('info', { write: (line) => lines.push(line) }) };
}

/** Returns a record store whose changes fail while the disk is full. */
function recordStoreOn(disk: { readonly isFull: boolean }, recordStore: RecordStore): RecordStore {
  return {
    read: (body) => recordStore.read(body),
    watch: (watcher) => recordStore.watch(watcher),
    change: <T>(body: (transaction: RecordStoreTransaction) => NotPromise<T>) =>
      disk.isFull ? Promise.reject(new Error('The disk is full.')) : recordStore.change(body),
  };
}

interface ServerOptions {
  readonly limits?: MailLimits;
  readonly mailer?: Mailer;
  readonly findMailer?: (project: string) => Mailer;
  readonly keyByte?: number;
  readonly whenCurrent?: () => Promise<void>;
}

/** Returns a record store, its clock and its disk. `start` creates the outbox and the worker of one server run. */
export function mailTestBed() {
  const clock = new TestClock();
  const disk = { isFull: false };
  const recordStore = recordStoreOn(disk, memoryRecordStore(clock));
  return {
    clock,
    disk,
    recordStore,
    start({ limits = UNLIMITED_MAILS, mailer, findMailer, keyByte = 1, whenCurrent }: ServerOptions = {}) {
      const memory = new MemoryMailer();
      const { logger, lines } = recordingLogger();
      const box = secretBox(secretKey(new Uint8Array(32).fill(keyByte)), randomBytes);
      const outbox = new Outbox({ recordStore, box, randomBytes, policy: mailQueue(limits) });
      const find = findMailer ?? (() => mailer ?? memory);
      const worker = new OutboxWorker({
        outbox,
        findSender: find,
        noun: 'an email',
        pollMs: MAIL_POLL_MS,
        clock,
        logger,
        whenCurrent,
      });
      const enqueue = (mail: Partial<Mail> = {}): Promise<EnqueueOutcome> =>
        recordStore.change((transaction) => outbox.enqueue(transaction, { ...A_MAIL, ...mail }));
      return { outbox, worker, mailer: memory, lines, enqueue };
    },
  };
}
