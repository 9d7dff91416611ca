import type { Entry, Query } from '@hearth/core/query/query.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';
import type { Receiver, Turn } from '../commit/turn.ts';
import type { ListenRegistry, QueryListen, QuerySubscription } from '../database/listen-registry.ts';

/** Something a session listens to. */
export type ActiveListen =
  | { readonly kind: 'default'; readonly path: Path }
  | {
      readonly kind: 'query';
      readonly path: Path;
      readonly query: Query;
      /** Canonical text of the query object as the client sent it. */
      readonly queryJson: string;
      readonly subscription: QuerySubscription;
    };

/** The listens of one session: at most one default listen per path, and one query per tag. */
export class SessionListens {
  readonly #registry: ListenRegistry;
  readonly #receiver: Receiver;
  readonly #defaults = new Map<string, ActiveListen>();
  readonly #queries = new Map<number, ActiveListen>();

  constructor(registry: ListenRegistry, receiver: Receiver) {
    this.#registry = registry;
    this.#receiver = receiver;
  }

  get count(): number {
    return this.#defaults.size + this.#queries.size;
  }

  all(): readonly ActiveListen[] {
    return [...this.#defaults.values(), ...this.#queries.values()];
  }

  addDefault(turn: Turn, path: Path): void {
    this.#add(turn, { kind: 'default', path }, null);
  }

  /** `window` is what a limited query shows now; `null` for a query without a limit. */
  addQuery(
    turn: Turn,
    path: Path,
    query: Query,
    queryJson: string,
    tag: number,
    window: readonly Entry[] | null,
  ): void {
    const subscription: QuerySubscription = { receiver: this.#receiver, tag };
    this.#add(turn, { kind: 'query', path, query, queryJson, subscription }, window);
  }

  findDefault(path: Path): ActiveListen | undefined {
    return this.#defaults.get(formatPath(path));
  }

  findQuery(tag: number): ActiveListen | undefined {
    return this.#queries.get(tag);
  }

  findQueryAt(path: Path, queryJson: string): ActiveListen | undefined {
    const text = formatPath(path);
    for (const listen of this.#queries.values())
      if (listen.kind === 'query' && listen.queryJson === queryJson && formatPath(listen.path) === text)
        return listen;
    return undefined;
  }

  remove(turn: Turn, listen: ActiveListen): void {
    const query = this.#drop(listen);
    turn.onUndo(() => this.#restore(listen, query));
  }

  removeAll(turn: Turn): void {
    for (const listen of this.all()) this.remove(turn, listen);
  }

  #add(turn: Turn, listen: ActiveListen, window: readonly Entry[] | null): void {
    const before =
      listen.kind === 'default' ? this.findDefault(listen.path) : this.findQuery(listen.subscription.tag);
    if (before !== undefined) this.remove(turn, before);
    this.#put(listen, window);
    turn.onUndo(() => this.#drop(listen));
  }

  #put(listen: ActiveListen, window: readonly Entry[] | null): void {
    if (listen.kind === 'default') {
      this.#defaults.set(formatPath(listen.path), listen);
      this.#registry.addDefault(listen.path, this.#receiver);
    } else {
      this.#queries.set(listen.subscription.tag, listen);
      this.#registry.addQuery(listen.path, listen.queryJson, listen.query, window, listen.subscription);
    }
  }

  /** Returns the query that was listened to, to restore the listen with. */
  #drop(listen: ActiveListen): QueryListen | undefined {
    if (listen.kind === 'default') {
      this.#defaults.delete(formatPath(listen.path));
      this.#registry.removeDefault(listen.path, this.#receiver);
      return undefined;
    }
    this.#queries.delete(listen.subscription.tag);
    return this.#registry.removeQuery(listen.path, listen.queryJson, listen.subscription);
  }

  #restore(listen: ActiveListen, query: QueryListen | undefined): void {
    if (listen.kind === 'default' || query === undefined) {
      this.#put(listen, null);
      return;
    }
    this.#queries.set(listen.subscription.tag, listen);
    this.#registry.restoreQuery(query, listen.subscription);
  }
}
