import type { ServerResponse } from 'node:http';
import { closeAfterCommand, closeCommand, messagesScript } from '@hearth/core/wire/long-poll.ts';

/** A request of a client that has no response yet. It may be held for a while. */
export interface Poll {
  /** Sends the response. Must be called only once. */
  answer(script: string): void;
  /** Notifies `listener` once the response has been sent, or the client has disconnected. */
  onClosed(listener: () => void): void;
}

/** A poll over HTTP. */
export class HttpPoll implements Poll {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  answer(script: string): void {
    sendText(this.#response, 'application/javascript', script);
  }

  onClosed(listener: () => void): void {
    // The client may have disconnected before its request is processed.
    if (this.#response.destroyed) listener();
    else this.#response.once('close', listener);
  }
}

/** Sends a text response. The headers prevent caching and content sniffing. */
export function sendText(response: ServerResponse, type: string, text: string): void {
  const bytes = Buffer.from(text);
  response.writeHead(200, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': bytes.length,
    'cache-control': 'no-cache',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  });
  response.end(bytes);
}

/** A poll without a response yet, and the timer that releases it. */
interface WaitingPoll {
  readonly poll: Poll;
  readonly timer: NodeJS.Timeout;
}

export interface PollQueueOptions {
  /** How long a poll waits for a message; shorter than the timeouts of proxies and clients. */
  readonly holdMs: number;
  /** Called whenever less data waits to be sent. */
  readonly onSent: () => void;
  /** Called when the client has aborted its only waiting poll. */
  readonly onAbandoned: () => void;
}

/**
 * `open`: responses carry messages. `ending`: the next response is the last. `ended`: the last one was sent.
 * `closed`: the connection was closed without sending the rest.
 */
type Phase = 'open' | 'ending' | 'ended' | 'closed';

/** The send queue of a polling client: messages that wait for a poll, and polls that wait for a message. */
export class PollQueue {
  readonly #options: PollQueueOptions;
  /** Oldest first. */
  #polls: WaitingPoll[] = [];
  #messages: string[] = [];
  #messageUnits = 0;
  /** Length of responses that have not been sent completely. */
  #unsentUnits = 0;
  /** Number of the next response. A gap would make the client wait forever. */
  #number = 0;
  #phase: Phase = 'open';

  constructor(options: PollQueueOptions) {
    this.#options = options;
  }

  /** Size of waiting data, in UTF-16 code units. */
  get waitingUnits(): number {
    return this.#messageUnits + this.#unsentUnits;
  }

  /** Whether messages wait for a poll. */
  get hasMessages(): boolean {
    return this.#messages.length > 0;
  }

  get waitingPolls(): number {
    return this.#polls.length;
  }

  /** Sends messages with the waiting poll, or with the next one. */
  send(messages: readonly string[]): void {
    for (const message of messages) {
      this.#messages.push(message);
      this.#messageUnits += message.length;
    }
    this.#flush();
  }

  /** Responds to the first poll with `script` and the waiting messages. */
  start(poll: Poll, script: string): void {
    this.#answerWithMessages(poll, script);
  }

  /** Adds a poll. It is answered as soon as there is a message, or after `holdMs`. */
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
    poll.onClosed(() => this.#markClosed(waiting));
    this.#flush();
  }

  /** Responds to all polls except the latest, so that the client can send others. */
  releaseEarlier(): void {
    for (const waiting of this.#polls.slice(0, -1)) this.#release(waiting);
  }

  /** Responds to all polls of a client that has more to send. */
  releaseAll(): void {
    for (const waiting of [...this.#polls]) this.#release(waiting);
  }

  /** Sends the waiting messages and a last one. Later polls get the command to close the connection after that. */
  end(lastMessage: string): void {
    this.releaseEarlier();
    this.#phase = 'ending';
    this.send([lastMessage]);
  }

  /** Sends the waiting messages with the next poll, and closes the connection after them. */
  endAfterMessages(): void {
    this.#phase = 'ending';
  }

  /** Closes the connection in the response to every waiting poll, and drops unsent messages. */
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

  #markClosed(waiting: WaitingPoll): void {
    // Usually the poll was already answered and is no longer waiting.
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
    this.#unsentUnits += script.length;
    poll.onClosed(() => {
      this.#unsentUnits -= script.length;
      this.#options.onSent();
    });
    if (this.#phase === 'ending') {
      this.#phase = 'ended';
      poll.answer(script + closeAfterCommand(number));
    } else poll.answer(script);
  }
}
