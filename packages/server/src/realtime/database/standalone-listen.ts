import { parseNamedQuery, queryFields } from '@hearth/core/query/fields.ts';
import type { Query } from '@hearth/core/query/query.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { plainFromExport } from '@hearth/core/tree/node-json.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { Asker } from '../../access/authorization-request.ts';
import type { Identity } from '../../access/principal.ts';
import { Frame } from '../../storage/transaction/frame.ts';
import type { Receiver, Turn } from '../../storage/transaction/transaction.ts';
import { isReadable, mustBeReadable } from './authorize.ts';
import type { Database, Reader } from './database.ts';
import type { QuerySubscription } from './listens.ts';
import { mustBeIndexed, readNotedQuery } from './read.ts';

/** A subscription without a session. */
export interface ListenRequest {
  readonly identity: Identity;
  readonly path: Path;
  /** `null` for the whole node. */
  readonly query: Query | null;
  /** Format of the first value. */
  readonly form: 'export' | 'plain';
}

/** The reason why a listen ended without `stop`. */
export type ListenEnd =
  /** The rules no longer allow it. */
  | 'revoked'
  /** Its value is longer than the longest allowed response. */
  | 'too-big'
  /** The observer could not process the data. */
  | 'failed';

/**
 * The observer of a listen. The calls come in this order: `begin` once, then `deliver`, then `end` unless the
 * listen is stopped.
 */
export interface ListenObserver {
  /** Receives the first value, as JSON text in the requested format. */
  begin(json: string): void;
  /** Receives the pushes of one transaction, in order: `setPush` or `mergePush`, in export format. */
  deliver(pushes: readonly Frame[]): void;
  end(reason: ListenEnd): void;
}

/** A marker among the outgoing messages: the rules no longer allow the messages after it. */
const REVOKED = new Frame('');

/** A tag distinguishes the queries of one receiver. Here each receiver has one query. */
const TAG = 0;

/** A listen without a session: no order of requests, no hashes, and a fixed principal. */
export class StandaloneListen implements Receiver, Reader {
  readonly #request: ListenRequest;
  readonly #observer: ListenObserver;
  #database: Database | undefined;
  #unregister: (() => void) | undefined;
  #hasBegun = false;
  #isOver = false;

  constructor(request: ListenRequest, observer: ListenObserver) {
    this.#request = request;
    this.#observer = observer;
  }

  /**
   * Reads the first value and listens from then on. Must be called in a transaction. Throws `access/denied`,
   * `query/unindexed` for a query without an index, and `read/too-big`. Does nothing after `stop`.
   */
  start(turn: Turn, database: Database): void {
    if (this.#isOver) return;
    mustBeReadable(turn, database, this.#asker, this.#request);
    this.#unregister = this.#register(turn, database);
    this.#database = database;
    database.readers.add(this);
    turn.onUndo(() => this.#leave());
  }

  /** Idempotent. */
  stop(): void {
    this.#isOver = true;
    this.#leave();
  }

  recheckReads(turn: Turn): void {
    if (this.#database !== undefined && !isReadable(turn, this.#database, this.#asker, this.#request))
      turn.send(this, REVOKED);
  }

  get #asker(): Asker {
    return { operation: 'stream', identity: this.#request.identity };
  }

  deliver(frames: readonly Frame[]): void {
    if (this.#isOver) return;
    const revokedAt = frames.indexOf(REVOKED);
    try {
      this.#tell(revokedAt === -1 ? frames : frames.slice(0, revokedAt));
    } catch (cause) {
      this.#end('failed');
      throw cause;
    }
    if (revokedAt !== -1) this.#end('revoked');
  }

  /** Called when a message is too big to be read from the store. */
  end(): void {
    this.#end('too-big');
  }

  /** The first message is the value. All others are pushes. */
  #tell(frames: readonly Frame[]): void {
    const [first, ...rest] = frames;
    if (this.#hasBegun || first === undefined) {
      if (first !== undefined) this.#observer.deliver(frames);
      return;
    }
    this.#hasBegun = true;
    this.#observer.begin(first.text);
    if (rest.length > 0) this.#observer.deliver(rest);
  }

  #end(reason: ListenEnd): void {
    if (this.#isOver) return;
    this.stop();
    this.#observer.end(reason);
  }

  /** Sends the value and returns a function that ends the subscription. */
  #register(turn: Turn, database: Database): () => void {
    const { path, query, form } = this.#request;
    const { listens } = database;
    if (query !== null) return this.#registerQuery(turn, database, query);
    turn.send(this, new Frame(database.tree(turn).nodeJson(path, form)));
    listens.addDefault(path, this);
    return () => listens.removeDefault(path, this);
  }

  #registerQuery(turn: Turn, database: Database, query: Query): () => void {
    const { path, form } = this.#request;
    const { listens } = database;
    mustBeIndexed(turn, database, path, query.index);
    const { text } = parseNamedQuery(queryFields(query));
    const tree = database.tree(turn);
    const entries = listens.findQuery(path, text)?.window ?? readNotedQuery(turn, database, path, query);
    const json = tree.childrenJson(
      path,
      entries.map((entry) => entry.key),
    );
    turn.send(this, new Frame(form === 'plain' ? plainFromExport(parseJsonText(json)) : json));
    const subscription: QuerySubscription = { receiver: this, tag: TAG };
    listens.addQuery(path, text, query, query.limit === null ? null : entries, subscription);
    return () => listens.removeQuery(path, text, subscription);
  }

  #leave(): void {
    this.#unregister?.();
    this.#unregister = undefined;
    this.#database?.readers.delete(this);
    this.#database = undefined;
  }
}
