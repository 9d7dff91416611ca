import { encodeMessage, MessageAssembler } from './frames.ts';
import { type Json, parseDownMessage } from './json.ts';
import { RawSocket } from './raw-socket.ts';

/** The outcome of a request. */
export type Outcome =
  | { readonly kind: 'ok'; readonly data: unknown }
  | { readonly kind: 'refused'; readonly status: string; readonly text: string }
  | { readonly kind: 'disconnected' };

type Waiting = { readonly request: number; readonly settle: (outcome: Outcome) => void };

function throwError(error: Error): never {
  throw error;
}

/**
 * A connection that sends requests without waiting and matches each response to its request. Responses must
 * arrive in order.
 */
export class Client {
  readonly #waiting: Waiting[] = [];
  readonly #onPush: (action: string, body: unknown) => void;
  readonly #onInvalid: (error: Error) => void;
  readonly #assembler = new MessageAssembler();
  readonly #greeted = Promise.withResolvers<void>();
  #socket: RawSocket | undefined;
  #nextRequest = 1;
  #isOpen = true;

  private constructor(onPush: (action: string, body: unknown) => void, onInvalid: (error: Error) => void) {
    this.#onPush = onPush;
    this.#onInvalid = onInvalid;
  }

  /**
   * Connects, and waits for the server's greeting. `onPush` receives what the server sends without a request. `onInvalid`
   * receives the error for a message that is not valid, after which the client disconnects; without it, such an error
   * ends the process.
   */
  static async open(
    port: number,
    namespace: string,
    onPush: (action: string, body: unknown) => void = () => undefined,
    onInvalid: (error: Error) => void = throwError,
  ): Promise<Client> {
    const client = new Client(onPush, onInvalid);
    client.#socket = await RawSocket.open(port, namespace, {
      onText: (text) => client.#receive(text),
      onClose: () => client.#end(),
    });
    await client.#greeted.promise;
    return client;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Sends a request. Resolves when the server responds or the connection ends. Never rejects. */
  async request(action: string, body: Json): Promise<Outcome> {
    const request = this.#nextRequest;
    this.#nextRequest += 1;
    return new Promise((settle) => {
      if (!this.#isOpen || this.#socket === undefined) {
        settle({ kind: 'disconnected' });
        return;
      }
      this.#waiting.push({ request, settle });
      this.#socket.write(encodeMessage(JSON.stringify({ t: 'd', d: { r: request, a: action, b: body } })));
    });
  }

  /** Sends a request and returns the data of the response. Throws if the status is not `ok` or the connection ends. */
  async must(action: string, body: Json): Promise<unknown> {
    const outcome = await this.request(action, body);
    switch (outcome.kind) {
      case 'ok':
        return outcome.data;
      case 'refused':
        throw new Error(`${action} was rejected: ${outcome.status}: ${outcome.text}`);
      case 'disconnected':
        throw new Error(`the connection ended before the response to ${action}`);
      default:
        return outcome satisfies never;
    }
  }

  [Symbol.dispose](): void {
    this.#socket?.destroy();
    this.#end();
  }

  #receive(text: string): void {
    if (!this.#isOpen) return;
    try {
      this.#accept(text);
    } catch (cause) {
      this.#onInvalid(cause instanceof Error ? cause : new Error(String(cause)));
      this[Symbol.dispose]();
    }
  }

  #accept(text: string): void {
    const complete = this.#assembler.accept(text);
    if (complete === undefined) return;
    const message = parseDownMessage(complete);
    if (message.kind === 'control' && message.control === 'h') this.#greeted.resolve();
    if (message.kind === 'push') this.#onPush(message.action, message.body);
    if (message.kind !== 'response') return;
    const waiting = this.#waiting.shift();
    if (waiting?.request !== message.request) {
      throw new Error(
        `received the response to request ${message.request}, but expected the response to ${waiting?.request ?? 'none'}`,
      );
    }
    if (message.status === 'ok') waiting.settle({ kind: 'ok', data: message.data });
    else waiting.settle({ kind: 'refused', status: message.status, text: String(message.data) });
  }

  #end(): void {
    this.#isOpen = false;
    this.#greeted.reject(new Error('the connection ended before the greeting'));
    for (const { settle } of this.#waiting.splice(0)) settle({ kind: 'disconnected' });
  }
}
