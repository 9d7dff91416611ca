import type { AppendOutcome, ReplicatedLog, Slot, StoredMessage } from './replicated-log.ts';

/** An append that the test executes and answers at the moment of its choice. */
export class ScriptedAppend {
  readonly message: Buffer;
  readonly #log: ScriptedLog;
  readonly #expectedLast: Slot;
  readonly #done: (outcome: AppendOutcome) => void;
  #outcome: AppendOutcome = { kind: 'unknown' };

  constructor(log: ScriptedLog, expectedLast: Slot, message: Buffer, done: (outcome: AppendOutcome) => void) {
    this.#log = log;
    this.#expectedLast = expectedLast;
    this.message = message;
    this.#done = done;
  }

  execute(): AppendOutcome {
    const last = this.#log.messages.length;
    if (last === this.#expectedLast) this.#log.messages.push(this.message);
    this.#outcome = last === this.#expectedLast ? { kind: 'stored' } : { kind: 'rejected', last };
    return this.#outcome;
  }

  /** Reports the outcome, or another one. */
  answer(outcome: AppendOutcome = this.#outcome): void {
    this.#done(outcome);
  }
}

/** A log whose requests wait until the test lets them be executed. */
export class ScriptedLog {
  readonly messages: Buffer[] = [];
  /** First slot that the log still has. */
  first: Slot = 1;
  #appends: ScriptedAppend[] = [];
  #reads: (() => void)[] = [];

  connect(): ReplicatedLog {
    return {
      append: (expectedLast, message, done) =>
        this.#appends.push(new ScriptedAppend(this, expectedLast, message, done)),
      read: (from, max, done) => this.#reads.push(() => done(this.#read(Math.max(from, this.first), max))),
      extent: (done) =>
        this.#reads.push(() => done({ first: this.first, last: this.messages.length, bytes: 0 })),
      trim: () => undefined,
      publish: () => undefined,
      subscribe: () => () => undefined,
    };
  }

  /** Returns the appends that wait. The test executes and answers them. */
  takeAppends(): readonly ScriptedAppend[] {
    return this.#appends.splice(0);
  }

  /** Executes and answers all waiting calls, and the calls that follow from them. */
  deliverAll(): void {
    while (this.#appends.length + this.#reads.length > 0) {
      for (const read of this.#reads.splice(0)) read();
      for (const append of this.#appends.splice(0)) {
        append.execute();
        append.answer();
      }
    }
  }

  #read(from: Slot, max: number): readonly StoredMessage[] {
    return this.messages
      .slice(from - 1, from - 1 + max)
      .map((message, index) => ({ slot: from + index, message }));
  }
}
