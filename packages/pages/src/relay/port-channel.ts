/** Answers a message. */
export type MessageHandler = (message: unknown) => unknown;

/**
 * Named messages over a port, in both directions, each with an answer. A message that no handler is registered for
 * waits for one, because the SDK registers its handler after the frame has sent the first event.
 */
export class PortChannel {
  readonly #port: MessagePort;
  readonly #handlers = new Map<string, MessageHandler>();
  readonly #waiting = new Map<string, Request[]>();
  readonly #unanswered = new Map<number, (answer: unknown) => void>();
  #lastId = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.onmessage = ({ data }) => this.#receive(data);
  }

  /** Sends a message. Resolves to its answer. */
  send(name: string, message: unknown): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = deferred();
    this.#unanswered.set(id, resolve);
    this.#port.postMessage({ kind: 'request', id, name, message } satisfies Request);
    return promise;
  }

  /** Answers messages of a name from now on, and those that wait. */
  register(name: string, handler: MessageHandler): void {
    this.#handlers.set(name, handler);
    const waiting = this.#waiting.get(name) ?? [];
    this.#waiting.delete(name);
    for (const request of waiting) this.#answer(request, handler);
  }

  #receive(data: unknown): void {
    const received = parseTransfer(data);
    if (received?.kind === 'answer') {
      this.#unanswered.get(received.id)?.(received.answer);
      this.#unanswered.delete(received.id);
    } else if (received !== undefined) {
      const handler = this.#handlers.get(received.name);
      if (handler !== undefined) this.#answer(received, handler);
      else if (this.#countWaiting() < MAX_WAITING)
        this.#waiting.set(received.name, [...(this.#waiting.get(received.name) ?? []), received]);
    }
  }

  #countWaiting(): number {
    return [...this.#waiting.values()].reduce((count, requests) => count + requests.length, 0);
  }

  #answer({ id, message }: Request, handler: MessageHandler): void {
    this.#port.postMessage({ kind: 'answer', id, answer: handler(message) } satisfies Answer);
  }
}

/** Number of messages that wait for a handler. The SDK needs one. */
const MAX_WAITING = 16;

interface Request {
  readonly kind: 'request';
  readonly id: number;
  readonly name: string;
  readonly message: unknown;
}

interface Answer {
  readonly kind: 'answer';
  readonly id: number;
  readonly answer: unknown;
}

function parseTransfer(data: unknown): Request | Answer | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { kind, id, name, message, answer } = data as Readonly<Record<string, unknown>>;
  if (typeof id !== 'number') return undefined;
  if (kind === 'answer') return { kind, id, answer };
  return kind === 'request' && typeof name === 'string' ? { kind, id, name, message } : undefined;
}

/** Like `Promise.withResolvers`, which some supported browsers lack. */
function deferred(): { readonly promise: Promise<unknown>; readonly resolve: (value: unknown) => void } {
  let resolve: (value: unknown) => void = () => {};
  const promise = new Promise<unknown>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
