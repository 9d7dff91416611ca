import type { SecretBox } from '../platform/secret-box.ts';
import type { RecordStore, RecordStoreTransaction, RecordTransaction, RecordView } from '../records/store.ts';
import type { NotPromise } from '../storage/kv/store.ts';
import type { DeliveryFailure, OutgoingMessage, QueuedMessage } from './message.ts';
import {
  type DeadMessage,
  type DueMessage,
  decodeDeadMessage,
  decodeDueMessage,
  decodeWaitingMessage,
  recordReader,
  type WaitingMessage,
} from './record.ts';

/** Maximum number of waiting messages, of all projects. */
export const MAX_WAITING = 10_000;

/** Maximum number of waiting messages of one project, so that one project cannot block the others. */
export const MAX_WAITING_OF_PROJECT = MAX_WAITING / 4;

/** Maximum number of stored dead messages. When it is reached, the next dead message replaces the oldest one. */
export const MAX_DEAD = 1_000;

const ID_BYTES = 8;
/** Number of digits of a time in a key, so that keys sort by time. */
const STAMP_LENGTH = 15;

/** Thrown if the queue is full. The client should try again later. */
export class QueueFull extends Error {
  constructor(waiting: number) {
    super(`${waiting} messages are already waiting. Check that the server that delivers them is available.`);
    this.name = 'QueueFull';
  }
}

/** `limited`: the project has queued too many messages of this kind for the recipient. The limit ends at `untilMs`. */
export type EnqueueOutcome =
  | { readonly kind: 'queued'; readonly id: string }
  | { readonly kind: 'limited'; readonly untilMs: number };

/** The status of the queue, for operators. */
export interface OutboxStatus {
  readonly waiting: number;
  /** The time when the oldest waiting message was queued. */
  readonly oldestAtMs?: number;
  readonly dead: number;
  readonly lastFailure?: LastFailure;
}

export interface LastFailure {
  readonly atMs: number;
  readonly project: string;
  readonly reason: string;
}

/** How a queue treats its messages. */
export interface QueuePolicy<Message extends QueuedMessage> {
  /** The name of the record store that holds the queue. It is also part of the context of sealed content. */
  readonly records: string;
  /** How long the server tries to send a message, in ms, unless its content expires earlier. */
  readonly maxAgeMs: number;
  /** Returns the delay after a number of failed attempts, in ms; infinity after the last attempt. */
  retryDelayMs(attempts: number): number;
  /**
   * Counts a message for the limits of its recipient. Returns when the limit ends, without counting, if it is
   * reached.
   */
  count(records: RecordTransaction, message: Message, nowMs: number): number | undefined;
  /** The reason that operators see for a message that was not accepted in time. */
  readonly expiredReason: string;
}

export interface OutboxOptions<Message extends QueuedMessage> {
  readonly recordStore: RecordStore;
  readonly box: SecretBox;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly policy: QueuePolicy<Message>;
}

/**
 * A queue of outgoing messages in the record store. It survives restarts. Layout: `waiting/<id>` the messages,
 * `due/<time>-<id>` the time of the next attempt, `projects/<project>` the number of waiting messages of each
 * project, `dead/<time>-<id>` the dead messages, `state` the numbers of messages and the last failure. The policy
 * keeps its own counts.
 */
export class Outbox<Message extends QueuedMessage> {
  readonly #options: OutboxOptions<Message>;
  /**
   * The projects of the messages that a transaction adds. They are kept here because a transaction cannot read
   * its own writes.
   */
  readonly #added = new WeakMap<RecordStoreTransaction, readonly string[]>();
  #listener: () => void = () => undefined;

  constructor(options: OutboxOptions<Message>) {
    this.#options = options;
  }

  /** Sets the only listener. The outbox calls it when there is a message to send. */
  watch(listener: () => void): void {
    this.#listener = listener;
  }

  /**
   * Queues a message if and when the transaction commits. Does not queue a message beyond the limit for the recipient.
   * Throws `QueueFull`.
   */
  enqueue(transaction: RecordStoreTransaction, message: Message): EnqueueOutcome {
    const { nowMs } = transaction;
    const { policy } = this.#options;
    const records = transaction.records(policy.records);
    const added = this.#added.get(transaction) ?? [];
    const waiting = readCount(records, 'waiting') + added.length;
    if (waiting >= MAX_WAITING) throw new QueueFull(waiting);
    const ofProject =
      countOf(records, message.project) + added.filter((project) => project === message.project).length;
    if (ofProject >= MAX_WAITING_OF_PROJECT) throw new QueueFull(ofProject);
    const limitedUntilMs = policy.count(records, message, nowMs);
    if (limitedUntilMs !== undefined) return { kind: 'limited', untilMs: limitedUntilMs };
    const id = `${stamp(nowMs)}-${Buffer.from(this.#options.randomBytes(ID_BYTES)).toString('hex')}`;
    writeWaiting(records, {
      id,
      project: message.project,
      kind: message.kind,
      to: message.to,
      queuedAtMs: nowMs,
      attempts: 0,
      dueAtMs: nowMs,
      untilMs: Math.min(nowMs + policy.maxAgeMs, message.validUntilMs ?? Number.POSITIVE_INFINITY),
      content: this.#options.box.seal(JSON.stringify(message), this.#contextOf(id)),
    });
    records.write(['state', 'waiting'], waiting + 1);
    records.write(['projects', message.project], ofProject + 1);
    this.#added.set(transaction, [...added, message.project]);
    transaction.onCommit(() => this.#listener());
    return { kind: 'queued', id };
  }

  /** Returns due messages after the key `after`, in order of due time. */
  listDue(nowMs: number, after: string | undefined, limit: number): readonly DueMessage[] {
    const range = { before: stamp(nowMs + 1), limit, ...(after === undefined ? {} : { after }) };
    return this.#read((records) =>
      records.list(['due'], range).map(({ key, value }) => decodeDueMessage(key, value)),
    );
  }

  /** Returns a message to send, or `undefined` if it is no longer waiting. Throws `UnsealFailure`. */
  findOutgoing(id: string): OutgoingMessage<Message> | undefined {
    const message = this.#read((records) => findWaiting(records, id));
    if (message === undefined) return undefined;
    const content = JSON.parse(
      this.#options.box.open(message.content, this.#contextOf(id)).toString(),
    ) as Message;
    return { ...content, id };
  }

  /** Removes a message that the other server accepted. */
  async remove(id: string): Promise<void> {
    await this.#changeWaiting(id, (records, message) => removeWaiting(records, message));
  }

  /**
   * Records a failed attempt and schedules the next one. Gives up on the message if the failure is permanent or the next
   * attempt would be too late, and returns whether it does.
   */
  async fail(id: string, failure: DeliveryFailure): Promise<boolean> {
    let isGivenUp = false;
    await this.#changeWaiting(id, (records, message, nowMs) => {
      const attempts = message.attempts + 1;
      const dueAtMs = nowMs + this.#options.policy.retryDelayMs(attempts);
      writeFailure(records, { atMs: nowMs, project: message.project, reason: failure.message });
      if (failure.kind === 'permanent' || dueAtMs >= message.untilMs) {
        moveToDead(records, { ...message, attempts }, nowMs, failure.message);
        isGivenUp = true;
        return;
      }
      records.write(['due', dueKey(message)], null);
      writeWaiting(records, { ...message, attempts, dueAtMs });
    });
    return isGivenUp;
  }

  /** Gives up on a message that expired. */
  async expire(id: string): Promise<void> {
    const { expiredReason: reason } = this.#options.policy;
    await this.#changeWaiting(id, (records, message, nowMs) => moveToDead(records, message, nowMs, reason));
  }

  status(): OutboxStatus {
    return this.#read((records) => {
      const [oldest] = records.list(['waiting'], { limit: 1 });
      const lastFailure = findFailure(records);
      return {
        waiting: readCount(records, 'waiting'),
        ...(oldest === undefined
          ? {}
          : { oldestAtMs: decodeWaitingMessage(oldest.key, oldest.value).queuedAtMs }),
        dead: readCount(records, 'dead'),
        ...(lastFailure === undefined ? {} : { lastFailure }),
      };
    });
  }

  /** Returns dead messages, newest first. */
  listDead(limit: number): readonly DeadMessage[] {
    return this.#read((records) =>
      records
        .list(['dead'], { limit, isReversed: true })
        .map(({ key, value }) => decodeDeadMessage(key, value)),
    );
  }

  #contextOf(id: string): string {
    return `${this.#options.policy.records}/${id}`;
  }

  #read<T>(body: (records: RecordView) => NotPromise<T>): T {
    return this.#options.recordStore.read((view) => body(view.records(this.#options.policy.records)));
  }

  async #changeWaiting(
    id: string,
    body: (records: RecordTransaction, message: WaitingMessage, nowMs: number) => void,
  ): Promise<void> {
    await this.#options.recordStore.change((transaction) => {
      const records = transaction.records(this.#options.policy.records);
      const message = findWaiting(records, id);
      if (message !== undefined) body(records, message, transaction.nowMs);
    });
  }
}

/** Returns the value of `after` for which `listDue` returns the messages that are due at `timeMs` or later. */
export function dueSince(timeMs: number): string {
  return stamp(timeMs);
}

function stamp(timeMs: number): string {
  return String(timeMs).padStart(STAMP_LENGTH, '0');
}

function dueKey({ dueAtMs, id }: WaitingMessage): string {
  return `${stamp(dueAtMs)}-${id}`;
}

function readCount(records: RecordView, of: 'waiting' | 'dead'): number {
  const count = records.find(['state', of]);
  return typeof count === 'number' ? count : 0;
}

/** Returns the number of waiting messages of a project. */
function countOf(records: RecordView, project: string): number {
  const count = records.find(['projects', project]);
  return typeof count === 'number' ? count : 0;
}

function findWaiting(records: RecordView, id: string): WaitingMessage | undefined {
  const json = records.find(['waiting', id]);
  return json === undefined ? undefined : decodeWaitingMessage(id, json);
}

function writeWaiting(records: RecordTransaction, message: WaitingMessage): void {
  const { id, ...record } = message;
  records.write(['waiting', id], record);
  records.write(['due', dueKey(message)], { id, project: message.project, untilMs: message.untilMs });
}

function removeWaiting(records: RecordTransaction, message: WaitingMessage): void {
  records.write(['waiting', message.id], null);
  records.write(['due', dueKey(message)], null);
  records.write(['state', 'waiting'], readCount(records, 'waiting') - 1);
  const ofProject = countOf(records, message.project);
  records.write(['projects', message.project], ofProject > 1 ? ofProject - 1 : null);
}

function moveToDead(
  records: RecordTransaction,
  message: WaitingMessage,
  diedAtMs: number,
  reason: string,
): void {
  const { id, project, kind, to, queuedAtMs, attempts } = message;
  removeWaiting(records, message);
  const dead: DeadMessage = { id, project, kind, to, queuedAtMs, attempts, diedAtMs, reason };
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
