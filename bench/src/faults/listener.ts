import { Client } from '../client/client.ts';
import { isRecord } from '../client/json.ts';
import { pause } from '../measure/time.ts';

/** A tree with JSON leaves. Changed in place. */
type Tree = { [key: string]: unknown };

/** Replaces the value at a path. `null` removes the value and every parent that becomes empty. */
export function applyPush(tree: Tree, path: string, value: unknown): void {
  const [key, ...rest] = path.split('/').filter(Boolean);
  if (key === undefined) {
    for (const old of Object.keys(tree)) delete tree[old];
    if (isRecord(value)) Object.assign(tree, value);
    return;
  }
  if (rest.length === 0) {
    if (value === null) delete tree[key];
    else tree[key] = value;
    return;
  }
  const existing = tree[key];
  const child: Tree = isRecord(existing) ? existing : {};
  applyPush(child, rest.join('/'), value);
  if (Object.keys(child).length === 0) delete tree[key];
  else tree[key] = child;
}

const RETRY_MS = 25;
const RECONNECT_LIMIT_MS = 30_000;

/** A client that listens to a path, stores the received data, and reconnects when its connection ends. */
export class Listener implements Disposable {
  readonly #namespace: string;
  readonly #path: string;
  readonly #onInvalid: (error: Error) => void;
  #client: Client | undefined;
  #tree: Tree = {};

  /** `onInvalid` receives the error for a message that is not valid, after which the listener reconnects. */
  constructor(namespace: string, path: string, onInvalid: (error: Error) => void) {
    this.#namespace = namespace;
    this.#path = path;
    this.#onInvalid = onInvalid;
  }

  /** Connects if there is no connection, and waits until everything that the server has sent so far has arrived. */
  async follow(port: number): Promise<void> {
    if (this.#client?.isOpen === true) {
      const { kind } = await this.#client.request('g', { p: '/nothing', q: {} });
      if (kind === 'ok') return;
    }
    const untilMs = performance.now() + RECONNECT_LIMIT_MS;
    for (;;) {
      try {
        await this.#connect(port);
        return;
      } catch (cause) {
        if (performance.now() > untilMs) throw cause;
        await pause(RETRY_MS);
      }
    }
  }

  /** The data that the client has, as the server has sent it. */
  get data(): unknown {
    return this.#tree;
  }

  [Symbol.dispose](): void {
    this.#client?.[Symbol.dispose]();
  }

  async #connect(port: number): Promise<void> {
    this.#client?.[Symbol.dispose]();
    const tree: Tree = {};
    this.#tree = tree;
    const root = this.#path.slice(1);
    const onPush = (action: string, body: unknown): void => {
      if (!isRecord(body) || typeof body['p'] !== 'string' || !`${body['p']}/`.startsWith(`${root}/`)) return;
      const path = body['p'].slice(root.length);
      if (action === 'd') applyPush(tree, path, body['d']);
      if (action === 'm' && isRecord(body['d']))
        for (const [key, value] of Object.entries(body['d'])) applyPush(tree, `${path}/${key}`, value);
    };
    this.#client = await Client.open(port, this.#namespace, onPush, this.#onInvalid);
    await this.#client.must('q', { p: this.#path, h: '' });
  }
}
