import { connect, type Socket } from 'node:net';
import { readClockMs } from '../measure/time.ts';
import type { Stretch } from '../server/loaded-server.ts';

/** A request that each connection repeats, and the expected length of each response body, if known. */
export type RestRequest = {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly url: (connection: number) => string;
  readonly body: (connection: number) => string;
  readonly answerBytes?: number;
};

const STALL_LIMIT_MS = 30_000;
const HEAD_END = '\r\n\r\n';

/**
 * Connections that stay open, each with one request in flight. They are plain sockets, because a client library
 * would use more processor time than the measured servers.
 */
export class RestLoad {
  readonly #clients: readonly RestClient[];

  private constructor(clients: readonly RestClient[]) {
    this.#clients = clients;
  }

  static async open(port: number, connections: number): Promise<RestLoad> {
    const opening = Array.from({ length: connections }, (_, number) => RestClient.open(port, number));
    return new RestLoad(await Promise.all(opening));
  }

  /**
   * Repeats the request on each connection for `durationMs`. Throws if a response is not 200 or does not have the
   * expected length, or if responses stop.
   */
  async run(request: RestRequest, durationMs: number): Promise<Stretch> {
    const startedMs = readClockMs();
    const counts = await Promise.all(this.#clients.map((client) => client.run(request, durationMs)));
    const done = counts.reduce((total, count) => total + count, 0);
    return { done, durationMs: readClockMs() - startedMs };
  }

  [Symbol.dispose](): void {
    for (const client of this.#clients) client.close();
  }
}

class RestClient {
  readonly #socket: Socket;
  readonly #number: number;
  #received = '';
  #onAnswer: (head: string, body: string) => void = () => undefined;
  #onEnd: () => void = () => undefined;

  private constructor(socket: Socket, number: number) {
    this.#socket = socket;
    this.#number = number;
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#accept(text));
    socket.on('close', () => this.#onEnd());
  }

  static open(port: number, number: number): Promise<RestClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new RestClient(socket, number)));
      socket.once('error', reject);
    });
  }

  run({ method, url, body: bodyOf, answerBytes }: RestRequest, durationMs: number): Promise<number> {
    const body = bodyOf(this.#number);
    const head = `${method} ${url(this.#number)} HTTP/1.1\r\nhost: localhost\r\n`;
    const request = body === '' ? `${head}\r\n` : `${head}content-length: ${body.length}${HEAD_END}${body}`;
    const untilMs = readClockMs() + durationMs;
    let answered = 0;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('responses stopped')), durationMs + STALL_LIMIT_MS);
      this.#onEnd = () => reject(new Error('the connection ended under load'));
      this.#onAnswer = (answerHead, answerBody) => {
        const isWhole = answerBytes === undefined || answerBody.length === answerBytes;
        if (!answerHead.startsWith('HTTP/1.1 200 ') || !isWhole)
          reject(new Error(`unexpected response to ${method}: ${answerHead} ${answerBody.slice(0, 200)}`));
        answered += 1;
        if (readClockMs() < untilMs) {
          this.#socket.write(request);
          return;
        }
        clearTimeout(timer);
        resolve(answered);
      };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#onEnd = () => undefined;
    this.#socket.destroy();
  }

  #accept(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd === -1) return;
    const head = this.#received.slice(0, headEnd);
    const bodyStart = headEnd + HEAD_END.length;
    const bodyEnd = bodyStart + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
    if (this.#received.length < bodyEnd) return;
    const body = this.#received.slice(bodyStart, bodyEnd);
    this.#received = this.#received.slice(bodyEnd);
    this.#onAnswer(head, body);
  }
}
