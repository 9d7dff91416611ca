import { closeAfterCommand, closeCommand, messagesScript } from '@hearth/core/wire/long-poll-script.ts';
import type { Poll } from './poll.ts';

/** A poll that is not answered yet, and the timer after which it is. */
interface WaitingPoll {
  readonly poll: Poll;
  readonly timer: NodeJS.Timeout;
}

export interface PollQueueOptions {
  /** How long a poll waits for something to be told; shorter than what proxies and clients take for dead. */
  readonly holdMs: number;
  /** Told whenever less waits to be sent. */
  readonly onSent: () => void;
  /** Told when the client has given up the only poll that waited. */
  readonly onAbandoned: () => void;
}

/** Whether answers carry messages as usual, are the last, were the last, or are none because the client is cut off. */
type Phase = 'open' | 'ending' | 'ended' | 'closed';

/** The way to a client that polls: messages that wait for a poll, and polls that wait for a message. */
export class PollQueue {
  readonly #options: PollQueueOptions;
  /** Oldest first. */
  #polls: WaitingPoll[] = [];
  #messages: string[] = [];
  #messageUnits = 0;
  /** Length of answers that have not left yet. */
  #leavingUnits = 0;
  /** Of the next answer. A gap would keep the client waiting forever. */
  #number = 0;
  #phase: Phase = 'open';

  constructor(options: PollQueueOptions) {
    this.#options = options;
  }

  /** What waits to be sent, in UTF-16 code units. */
  get waitingUnits(): number {
    return this.#messageUnits + this.#leavingUnits;
  }

  get waitingPolls(): number {
    return this.#polls.length;
  }

  /** Sends messages with the poll that waits, or with the next. */
  send(messages: readonly string[]): void {
    for (const message of messages) {
      this.#messages.push(message);
      this.#messageUnits += message.length;
    }
    this.#flush();
  }

  /** Answers the first poll with what is there to be sent, after the commands of `script`. */
  start(poll: Poll, script: string): void {
    this.#answerWithMessages(poll, script);
  }

  /** Takes a poll, which is answered as soon as there is something to be sent. */
  add(poll: Poll): void {
    if (this.#phase === 'ended' || this.#phase === 'closed') {
      poll.answer(this.#phase === 'ended' ? closeAfterCommand(this.#number - 1) : closeCommand());
      return;
    }
    const waiting: WaitingPoll = {
      poll,
      timer: setTimeout(() => this.#release(waiting), this.#options.holdMs).unref(),
    };
    this.#polls.push(waiting);
    poll.onClosed(() => this.#noteClosed(waiting));
    this.#flush();
  }

  /** Answers all polls but the latest, so that the client may send others. */
  releaseEarlier(): void {
    for (const waiting of this.#polls.slice(0, -1)) this.#release(waiting);
  }

  /** Answers all polls, to a client that has more to send. */
  releaseAll(): void {
    for (const waiting of [...this.#polls]) this.#release(waiting);
  }

  /** Sends what waits and a last message. From then on every poll is told to end the connection after that. */
  end(lastMessage: string): void {
    this.releaseEarlier();
    this.#phase = 'ending';
    this.send([lastMessage]);
  }

  /** Tells every poll that waits that the connection is over, and drops what was not sent. */
  close(): void {
    this.#phase = 'closed';
    for (const waiting of [...this.#polls]) {
      this.#remove(waiting);
      waiting.poll.answer(closeCommand());
    }
    this.#messages = [];
    this.#messageUnits = 0;
    this.#options.onSent();
  }

  #flush(): void {
    if (this.#messages.length > 0) this.#release(this.#polls[0]);
  }

  #release(waiting: WaitingPoll | undefined): void {
    if (waiting === undefined) return;
    this.#remove(waiting);
    this.#answerWithMessages(waiting.poll, '');
  }

  #noteClosed(waiting: WaitingPoll): void {
    // Most often it was answered, and waits no more.
    if (!this.#polls.includes(waiting)) return;
    this.#remove(waiting);
    if (this.#polls.length === 0) this.#options.onAbandoned();
  }

  #remove(waiting: WaitingPoll): void {
    clearTimeout(waiting.timer);
    this.#polls = this.#polls.filter((other) => other !== waiting);
  }

  #answerWithMessages(poll: Poll, before: string): void {
    const number = this.#number++;
    const script = before + messagesScript(number, this.#messages);
    this.#messages = [];
    this.#messageUnits = 0;
    this.#leavingUnits += script.length;
    poll.onClosed(() => {
      this.#leavingUnits -= script.length;
      this.#options.onSent();
    });
    if (this.#phase === 'ending') {
      this.#phase = 'ended';
      poll.answer(script + closeAfterCommand(number));
    } else poll.answer(script);
  }
}
