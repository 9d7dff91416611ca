/** The result of a listen of the database SDK: the value at the path, a denial, another error, or no response. */
export type FakeListen =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'denied' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'pending' };

/** Results of listens, by path, such as `/rooms`. */
export type FakeListens = Readonly<Record<string, FakeListen>>;

/** The part of a message of the wire protocol that the fake reads. */
interface ClientMessage {
  readonly t: string;
  readonly d: {
    readonly r: number;
    readonly a: string;
    readonly b: { readonly p?: string; readonly t?: number };
  };
}

let running: FakeDatabase | undefined;

/** Speaks the part of the wire protocol that a listen of the SDK needs. */
export class FakeDatabase {
  /** Listens without a result in the table, such as `listen /rooms`. */
  readonly unknown: string[] = [];
  readonly #listens: Map<string, FakeListen>;

  private constructor(listens: FakeListens) {
    this.#listens = new Map(Object.entries(listens));
  }

  /** Starts a database that receives all connections of the SDK. */
  static start(listens: FakeListens): FakeDatabase {
    running = new FakeDatabase(listens);
    return running;
  }

  stop(): void {
    if (running === this) running = undefined;
  }

  /** Changes the result of later listens at a path. */
  respondToListen(path: string, listen: FakeListen): void {
    this.#listens.set(path, listen);
  }

  /** Returns the responses to a message of the SDK. */
  respond(text: string): readonly unknown[] {
    // The SDK sends a digit to keep the connection alive.
    if (!text.startsWith('{')) return [];
    const { t, d } = JSON.parse(text) as ClientMessage;
    if (t !== 'd') return [];
    const ok = { t: 'd', d: { r: d.r, b: { s: 'ok', d: {} } } };
    if (d.a !== 'q') return [ok];
    const path = `/${(d.b.p ?? '').replace(/^\//, '')}`;
    const found = this.#listens.get(path);
    if (found === undefined) this.unknown.push(`listen ${path}`);
    switch (found?.kind) {
      case 'value':
        return [
          { t: 'd', d: { a: 'd', b: { p: path.slice(1), d: found.value, ...(d.b.t ? { t: d.b.t } : {}) } } },
          ok,
        ];
      case 'denied':
        return [{ t: 'd', d: { r: d.r, b: { s: 'permission_denied', d: 'Permission denied' } } }];
      case 'failed':
        return [{ t: 'd', d: { r: d.r, b: { s: 'internal_error', d: 'Internal server error.' } } }];
      default:
        return [];
    }
  }
}

/** A connection of the SDK to the fake database. */
class FakeSocket extends EventTarget {
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onmessage: ((event: { readonly data: string }) => void) | null = null;
  readyState = 0;

  constructor() {
    super();
    queueMicrotask(() => {
      this.readyState = 1;
      this.onopen?.();
      const hello = { ts: Date.now(), v: '5', h: location.host, s: 'session' };
      this.#receive({ t: 'c', d: { t: 'h', d: hello } });
    });
  }

  send(text: string): void {
    for (const message of running?.respond(text) ?? []) queueMicrotask(() => this.#receive(message));
  }

  close(): void {
    this.readyState = 3;
    this.onclose = null;
    this.onmessage = null;
  }

  #receive(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

/**
 * The SDK keeps the WebSocket class that exists when it is loaded, so this file replaces the class before the SDK is
 * loaded.
 */
window.WebSocket = new Proxy(window.WebSocket, {
  construct: (target, args) =>
    new URL(String(args[0]), location.href).pathname === '/.ws'
      ? new FakeSocket()
      : Reflect.construct(target, args),
});
