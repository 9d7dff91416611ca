import type { SecretBox } from '../platform/secret-box.ts';
import type { RecordStore, RecordStoreTransaction, RecordTransaction, RecordView } from '../records/store.ts';
import type { NotPromise } from '../storage/kv/store.ts';
import { countMail, type MailLimits, nextHourMs } from './limits.ts';
import type { Mail, MailFailure, OutgoingMail } from './mailer.ts';
import {
  type DeadMail,
  type DueMail,
  decodeDeadMail,
  decodeDueMail,
  decodeWaitingMail,
  recordReader,
  type WaitingMail,
} from './outbox-record.ts';

const FIRST_DELAY_MS = 60_000;
const LONGEST_DELAY_MS = 6 * 3_600_000;

/**
 * Returns the delay after a number of failed attempts, in ms: one minute after the first attempt, then twice the
 * previous delay, at most six hours.
 */
export function retryDelayMs(attempts: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS);
}

/** Maximum number of waiting mails, of all projects. */
export const MAX_WAITING = 10_000;

/** Maximum number of waiting mails of one project, so that one project cannot block the others. */
export const MAX_WAITING_OF_PROJECT = MAX_WAITING / 4;

/** Maximum number of stored dead mails. When it is reached, the next dead mail replaces the oldest one. */
export const MAX_DEAD = 1_000;

/** How long the server tries to send a mail, in ms, unless its link expires earlier. */
const MAX_AGE_MS = 2 * 24 * 3_600_000;

const RECORDS = 'mail';
const ID_BYTES = 8;
/** Number of digits of a time in a key, so that keys sort by time. */
const STAMP_LENGTH = 15;

/** Thrown if the queue is full. The client should try again later. */
export class MailQueueFull extends Error {
  constructor(waiting: number) {
    super(`${waiting} mails are already waiting. Check that the mail server is available.`);
    this.name = 'MailQueueFull';
  }
}

/** `limited`: the project has queued too many mails of this kind for the recipient. The limit ends at `untilMs`. */
export type EnqueueOutcome =
  | { readonly kind: 'queued'; readonly id: string }
  | { readonly kind: 'limited'; readonly untilMs: number };

/** The status of the queue, for operators. */
export interface OutboxStatus {
  readonly waiting: number;
  /** The time when the oldest waiting mail was queued. */
  readonly oldestAtMs?: number;
  readonly dead: number;
  readonly lastFailure?: LastFailure;
}

export interface LastFailure {
  readonly atMs: number;
  readonly project: string;
  readonly reason: string;
}

export interface OutboxOptions {
  readonly recordStore: RecordStore;
  readonly box: SecretBox;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly limits: MailLimits;
}

/**
 * The queue of outgoing mails in the record store. It survives restarts. Layout: `waiting/<id>` the mails,
 * `due/<time>-<id>` the time of the next attempt, `projects/<project>` the number of waiting mails of each
 * project, `dead/<time>-<id>` the dead mails, `state` the numbers of mails and the last failure. See `limits.ts` for
 * `counts` and `state/hour`.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  /**
   * The projects of the mails that a transaction adds. They are kept here because a transaction cannot read
   * its own writes.
   */
  readonly #added = new WeakMap<RecordStoreTransaction, readonly string[]>();
  #listener: () => void = () => undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Sets the only listener. The outbox calls it when there is a mail to send. */
  watch(listener: () => void): void {
    this.#listener = listener;
  }

  /**
   * Queues a mail if and when the transaction commits. Does not queue a mail beyond the limit for the recipient.
   * Throws `MailQueueFull`.
   */
  enqueue(transaction: RecordStoreTransaction, mail: Mail): EnqueueOutcome {
    const { nowMs } = transaction;
    const records = transaction.records(RECORDS);
    const added = this.#added.get(transaction) ?? [];
    const waiting = readCount(records, 'waiting') + added.length;
    if (waiting >= MAX_WAITING) throw new MailQueueFull(waiting);
    const ofProject =
      countOf(records, mail.project) + added.filter((project) => project === mail.project).length;
    if (ofProject >= MAX_WAITING_OF_PROJECT) throw new MailQueueFull(ofProject);
    if (!countMail(records, mail, this.#options.limits, nowMs))
      return { kind: 'limited', untilMs: nextHourMs(nowMs) };
    const id = `${stamp(nowMs)}-${Buffer.from(this.#options.randomBytes(ID_BYTES)).toString('hex')}`;
    writeWaiting(records, {
      id,
      project: mail.project,
      kind: mail.kind,
      to: mail.to,
      queuedAtMs: nowMs,
      attempts: 0,
      dueAtMs: nowMs,
      untilMs: Math.min(nowMs + MAX_AGE_MS, mail.validUntilMs ?? Number.POSITIVE_INFINITY),
      content: this.#options.box.seal(JSON.stringify(mail), contextOf(id)),
    });
    records.write(['state', 'waiting'], waiting + 1);
    records.write(['projects', mail.project], ofProject + 1);
    this.#added.set(transaction, [...added, mail.project]);
    transaction.onCommit(() => this.#listener());
    return { kind: 'queued', id };
  }

  /** Returns due mails after the key `after`, in order of due time. */
  listDue(nowMs: number, after: string | undefined, limit: number): readonly DueMail[] {
    const range = { before: stamp(nowMs + 1), limit, ...(after === undefined ? {} : { after }) };
    return this.#read((records) =>
      records.list(['due'], range).map(({ key, value }) => decodeDueMail(key, value)),
    );
  }

  /** Returns a mail to send, or `undefined` if it is no longer waiting. Throws `UnsealFailure`. */
  findOutgoing(id: string): OutgoingMail | undefined {
    const mail = this.#read((records) => findWaiting(records, id));
    if (mail === undefined) return undefined;
    const content = JSON.parse(this.#options.box.open(mail.content, contextOf(id)).toString()) as Mail;
    return { ...content, id };
  }

  /** Removes a mail that the mail server accepted. */
  async remove(id: string): Promise<void> {
    await this.#changeWaiting(id, (records, mail) => removeWaiting(records, mail));
  }

  /**
   * Records a failed attempt and schedules the next one. Gives up on the mail if the failure is permanent or the next
   * attempt would be too late.
   */
  async fail(id: string, failure: MailFailure): Promise<void> {
    await this.#changeWaiting(id, (records, mail, nowMs) => {
      const attempts = mail.attempts + 1;
      const dueAtMs = nowMs + retryDelayMs(attempts);
      writeFailure(records, { atMs: nowMs, project: mail.project, reason: failure.message });
      if (failure.kind === 'permanent' || dueAtMs >= mail.untilMs) {
        moveToDead(records, { ...mail, attempts }, nowMs, failure.message);
        return;
      }
      records.write(['due', dueKey(mail)], null);
      writeWaiting(records, { ...mail, attempts, dueAtMs });
    });
  }

  /** Gives up on a mail that expired. */
  async expire(id: string): Promise<void> {
    const reason = 'The mail server did not accept the mail in time.';
    await this.#changeWaiting(id, (records, mail, nowMs) => moveToDead(records, mail, nowMs, reason));
  }

  status(): OutboxStatus {
    return this.#read((records) => {
      const [oldest] = records.list(['waiting'], { limit: 1 });
      const lastFailure = findFailure(records);
      return {
        waiting: readCount(records, 'waiting'),
        ...(oldest === undefined
          ? {}
          : { oldestAtMs: decodeWaitingMail(oldest.key, oldest.value).queuedAtMs }),
        dead: readCount(records, 'dead'),
        ...(lastFailure === undefined ? {} : { lastFailure }),
      };
    });
  }

  /** Returns dead mails, newest first. */
  listDead(limit: number): readonly DeadMail[] {
    return this.#read((records) =>
      records.list(['dead'], { limit, isReversed: true }).map(({ key, value }) => decodeDeadMail(key, value)),
    );
  }

  #read<T>(body: (records: RecordView) => NotPromise<T>): T {
    return this.#options.recordStore.read((view) => body(view.records(RECORDS)));
  }

  async #changeWaiting(
    id: string,
    body: (records: RecordTransaction, mail: WaitingMail, nowMs: number) => void,
  ): Promise<void> {
    await this.#options.recordStore.change((transaction) => {
      const records = transaction.records(RECORDS);
      const mail = findWaiting(records, id);
      if (mail !== undefined) body(records, mail, transaction.nowMs);
    });
  }
}

function contextOf(id: string): string {
  return `mail/${id}`;
}

function stamp(timeMs: number): string {
  return String(timeMs).padStart(STAMP_LENGTH, '0');
}

function dueKey({ dueAtMs, id }: WaitingMail): string {
  return `${stamp(dueAtMs)}-${id}`;
}

function readCount(records: RecordView, of: 'waiting' | 'dead'): number {
  const count = records.find(['state', of]);
  return typeof count === 'number' ? count : 0;
}

/** Returns the number of waiting mails of a project. */
function countOf(records: RecordView, project: string): number {
  const count = records.find(['projects', project]);
  return typeof count === 'number' ? count : 0;
}

function findWaiting(records: RecordView, id: string): WaitingMail | undefined {
  const json = records.find(['waiting', id]);
  return json === undefined ? undefined : decodeWaitingMail(id, json);
}

function writeWaiting(records: RecordTransaction, mail: WaitingMail): void {
  const { id, ...record } = mail;
  records.write(['waiting', id], record);
  records.write(['due', dueKey(mail)], { id, project: mail.project, untilMs: mail.untilMs });
}

function removeWaiting(records: RecordTransaction, mail: WaitingMail): void {
  records.write(['waiting', mail.id], null);
  records.write(['due', dueKey(mail)], null);
  records.write(['state', 'waiting'], readCount(records, 'waiting') - 1);
  const ofProject = countOf(records, mail.project);
  records.write(['projects', mail.project], ofProject > 1 ? ofProject - 1 : null);
}

function moveToDead(records: RecordTransaction, mail: WaitingMail, diedAtMs: number, reason: string): void {
  const { id, project, kind, to, queuedAtMs, attempts } = mail;
  removeWaiting(records, mail);
  const dead: DeadMail = { id, project, kind, to, queuedAtMs, attempts, diedAtMs, reason };
  records.write(['dead', `${stamp(diedAtMs)}-${id}`], dead);
  const count = readCount(records, 'dead');
  if (count < MAX_DEAD) records.write(['state', 'dead'], count + 1);
  else for (const { key } of records.list(['dead'], { limit: 1 })) records.write(['dead', key], null);
}

function findFailure(records: RecordView): LastFailure | undefined {
  const json = records.find(['state', 'lastFailure']);
  if (json === undefined) return undefined;
  const record = recordReader('lastFailure', json);
  return { atMs: record.number('atMs'), project: record.text('project'), reason: record.text('reason') };
}

function writeFailure(records: RecordTransaction, failure: LastFailure): void {
  records.write(['state', 'lastFailure'], failure);
}
