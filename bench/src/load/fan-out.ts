import { encodeMessage } from '../client/frames.ts';
import { RawSocket } from '../client/raw-socket.ts';

const RUN_LIMIT_BASE_MS = 30_000;
const NUMBER_FIELD = '"n":';

/**
 * Many connections that listen to one path, and one connection that writes below it. Every listener must
 * receive every event exactly once and in order. Only the event numbers are checked. The first wrong number ends
 * the run.
 */
export class FanOutLoad {
  readonly #sockets: RawSocket[] = [];
  readonly #listeners: number;
  #writer: RawSocket | undefined;
  #sent = 0;
  #awaited = 0;
  #step: PromiseWithResolvers<void> = Promise.withResolvers();

  private constructor(listeners: number) {
    this.#listeners = listeners;
  }

  static async open(port: number, namespace: string, listeners: number): Promise<FanOutLoad> {
    const load = new FanOutLoad(listeners);
    for (let count = 0; count < listeners; count += 1)
      load.#sockets.push(await load.#openListener(port, namespace));
    load.#writer = await RawSocket.open(port, namespace, {
      onText: (text) => load.#acceptAnswer(text),
      onClose: () => load.#step.reject(new Error('the writer was disconnected')),
    });
    return load;
  }

  /**
   * Makes `bursts` times `size` writes. Each burst is one system call, and starts after all events of the
   * previous burst arrived.
   */
  async run(bursts: number, size: number): Promise<void> {
    const timer = setTimeout(
      () => this.#step.reject(new Error('the run took too long: not all events arrived in time')),
      RUN_LIMIT_BASE_MS + bursts * 200,
    );
    try {
      for (let burst = 0; burst < bursts; burst += 1) {
        this.#step = Promise.withResolvers();
        this.#awaited = size * (this.#listeners + 1);
        const frames: Buffer[] = [];
        for (let index = 0; index < size; index += 1) {
          this.#sent += 1;
          const event = `{"n":${this.#sent},"author":"user7","text":"a short line of talk that everyone hears"}`;
          frames.push(
            encodeMessage(
              `{"t":"d","d":{"r":${this.#sent},"a":"p","b":{"p":"/fan/k${this.#sent % 1_000}","d":${event}}}}`,
            ),
          );
        }
        this.#writer?.write(Buffer.concat(frames));
        await this.#step.promise;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  [Symbol.dispose](): void {
    this.#step.promise.catch(() => {});
    for (const socket of this.#sockets) socket.destroy();
    this.#writer?.destroy();
  }

  async #openListener(port: number, namespace: string): Promise<RawSocket> {
    const listening = Promise.withResolvers<void>();
    let seen = 0;
    const socket = await RawSocket.open(port, namespace, {
      onText: (text) => {
        const at = text.indexOf(NUMBER_FIELD);
        if (at < 0) {
          if (text.includes('"s":"ok"')) listening.resolve();
          return;
        }
        seen += 1;
        if (Number.parseInt(text.slice(at + NUMBER_FIELD.length), 10) !== seen) {
          this.#step.reject(
            new Error(`a listener expected event ${seen} but received: ${text.slice(0, 200)}`),
          );
        }
        this.#countDown();
      },
      onClose: () => {
        listening.reject(new Error('a listener was disconnected'));
        this.#step.reject(new Error('a listener was disconnected'));
      },
    });
    socket.write(encodeMessage('{"t":"d","d":{"r":1,"a":"q","b":{"p":"/fan","h":""}}}'));
    await listening.promise;
    return socket;
  }

  #acceptAnswer(text: string): void {
    if (text.startsWith('{"t":"c"')) return;
    if (!text.includes('"s":"ok"')) this.#step.reject(new Error(`a write was rejected: ${text}`));
    this.#countDown();
  }

  #countDown(): void {
    this.#awaited -= 1;
    if (this.#awaited === 0) this.#step.resolve();
  }
}
