import type { AppendOutcome, LogExtent, ReplicatedLog, Slot, StoredMessage } from '../replicated-log.ts';
import type { Choices } from './choices.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Chances of faults, from 0 to 1, and the longest ordinary delay of a message. */
export interface Faults {
  readonly delayMs: number;
  /** A request or response that arrives much later. */
  readonly late: number;
  readonly lostRequest: number;
  readonly lostResponse: number;
  /** An append request that arrives twice. */
  readonly doubled: number;
  readonly lostBulletin: number;
  /** A read that ends earlier than the log. */
  readonly staleRead: number;
}

export const NO_FAULTS: Faults = {
  delayMs: 1,
  late: 0,
  lostRequest: 0,
  lostResponse: 0,
  doubled: 0,
  lostBulletin: 0,
  staleRead: 0,
};

/** How long a node waits for the outcome of an append. */
const APPEND_TIMEOUT_MS = 1_000;
const READ_TIMEOUT_MS = 500;
const LATE_MS = 2_000;

/**
 * The servers of a log, as all nodes see them: one list of messages. The faults are those of the way there and back,
 * and of servers that send no responses while they elect a leader.
 */
export class SimulatedServers {
  readonly #time: VirtualTime;
  readonly #choices: Choices;
  readonly #subscribers = new Set<(bytes: Buffer) => void>();
  readonly messages: Buffer[] = [];
  /** The first slot whose message was not removed. */
  first: Slot = 1;
  faults: Faults;
  /** Until then requests wait at the servers, and no responses leave. */
  #electingUntilMs = 0;

  constructor(time: VirtualTime, choices: Choices, faults: Faults) {
    this.#time = time;
    this.#choices = choices;
    this.faults = faults;
  }

  /** The leader dies. Requests on their way are executed by the next one, and their responses are lost. */
  killLeader(electionMs: number): void {
    this.#electingUntilMs = this.#time.elapsedMs() + electionMs;
  }

  /** Throws the log back: it loses its last messages, although it had acknowledged them. */
  rewind(last: Slot): void {
    this.messages.length = Math.min(this.messages.length, last);
  }

  connect(): ReplicatedLog {
    return {
      append: (expectedLast, message, done) => this.#append(expectedLast, message, done),
      read: (from, max, done) => this.#request(() => this.#read(from, max), READ_TIMEOUT_MS, [], done),
      extent: (done) =>
        this.#request<LogExtent | undefined>(() => this.#extent(), READ_TIMEOUT_MS, undefined, done),
      trim: (first, done) =>
        this.#request(
          () => {
            this.first = Math.max(this.first, Math.min(first, this.messages.length));
            return true;
          },
          READ_TIMEOUT_MS,
          false,
          done,
        ),
      publish: (bytes) => {
        for (const receive of this.#subscribers)
          if (!this.#choices.happens(this.faults.lostBulletin)) this.#deliver(() => receive(bytes));
      },
      subscribe: (receive) => {
        // Each subscription is separate, even if two pass the same function.
        const own = (bytes: Buffer): void => {
          if (this.#subscribers.has(own)) receive(bytes);
        };
        this.#subscribers.add(own);
        return () => this.#subscribers.delete(own);
      },
    };
  }

  #append(expectedLast: Slot, message: Buffer, done: (outcome: AppendOutcome) => void): void {
    const execute = (): AppendOutcome => {
      const last = this.messages.length;
      if (last !== expectedLast) return { kind: 'rejected', last };
      this.messages.push(message);
      return { kind: 'stored' };
    };
    if (this.#choices.happens(this.faults.doubled)) this.#deliver(() => this.#whenElected(execute));
    this.#request(execute, APPEND_TIMEOUT_MS, { kind: 'unknown' }, done);
  }

  #extent(): LogExtent {
    const bytes = this.messages.slice(this.first - 1).reduce((sum, { length }) => sum + length, 0);
    return { first: this.first, last: this.messages.length, bytes };
  }

  #read(from: Slot, max: number): readonly StoredMessage[] {
    const { length } = this.messages;
    const end = this.#choices.happens(this.faults.staleRead) ? this.#choices.below(length + 1) : length;
    const first = Math.max(from, this.first);
    return this.messages
      .slice(first - 1, Math.min(end, first - 1 + max))
      .map((message, index) => ({ slot: first + index, message }));
  }

  /** Sends a request, executes it at the servers and reports the response, or `onTimeout` if none arrives in time. */
  #request<T>(execute: () => T, timeoutMs: number, onTimeout: T, done: (response: T) => void): void {
    let isReported = false;
    const report = (response: T): void => {
      if (isReported) return;
      isReported = true;
      cancel();
      done(response);
    };
    const cancel = this.#time.after(timeoutMs, () => report(onTimeout));
    if (this.#choices.happens(this.faults.lostRequest)) return;
    this.#deliver(() =>
      this.#whenElected((wasDelayed) => {
        const response = execute();
        if (!wasDelayed && !this.#choices.happens(this.faults.lostResponse))
          this.#deliver(() => report(response));
      }),
    );
  }

  #whenElected(action: (wasDelayed: boolean) => void): void {
    const waitMs = this.#electingUntilMs - this.#time.elapsedMs();
    if (waitMs > 0) this.#time.after(waitMs, () => action(true));
    else action(false);
  }

  #deliver(action: () => void): void {
    const late = this.#choices.happens(this.faults.late) ? this.#choices.next() * LATE_MS : 0;
    this.#time.after(this.#choices.next() * this.faults.delayMs + late, action);
  }
}
