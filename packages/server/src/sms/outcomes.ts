import type { SmsRejectionCode } from './rejection.ts';

/** Maximum number of requests that wait for an SMS service. Others are answered immediately. */
export const MAX_WAITING_REQUESTS = 1_000;

/** How long a request waits for the SMS service, in ms. */
export const MAX_WAIT_MS = 2_000;

/** `unknown`: the service has not decided in time. */
export type SmsOutcome = SmsRejectionCode | 'accepted' | 'unknown';

interface WaitingRequest {
  readonly resolve: (outcome: SmsOutcome) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Passes the decision of the SMS service about a message to the request that sent it, if the service decides soon. A
 * request waits the same way whether or not an account has the number.
 */
export class SmsOutcomes {
  #isOpen = false;
  /** By message; at most `MAX_WAITING_REQUESTS`. */
  readonly #waiting = new Map<string, WaitingRequest>();
  readonly #outcomes = new WeakMap<object, Promise<SmsOutcome>>();

  /** Begins to let requests wait. Called when messages are being sent. */
  open(): void {
    this.#isOpen = true;
  }

  /** Lets a request wait for its message. */
  expect(request: object, messageId: string): void {
    if (!this.#isOpen || this.#waiting.size >= MAX_WAITING_REQUESTS) return;
    const { promise, resolve } = Promise.withResolvers<SmsOutcome>();
    const timer = setTimeout(() => this.#end(messageId, 'unknown'), MAX_WAIT_MS);
    timer.unref();
    this.#waiting.set(messageId, { resolve, timer });
    this.#outcomes.set(request, promise);
  }

  /** Returns the outcome of the message of a request, `unknown` if the request does not wait for one. */
  async outcomeOf(request: object): Promise<SmsOutcome> {
    return (await this.#outcomes.get(request)) ?? 'unknown';
  }

  /** Ends the wait for a message, unless the service may still accept it. */
  settle(messageId: string, outcome: SmsOutcome): void {
    if (outcome !== 'busy') this.#end(messageId, outcome);
  }

  #end(messageId: string, outcome: SmsOutcome): void {
    const request = this.#waiting.get(messageId);
    if (request === undefined) return;
    clearTimeout(request.timer);
    this.#waiting.delete(messageId);
    request.resolve(outcome);
  }
}
