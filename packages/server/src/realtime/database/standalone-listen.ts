import { parseNamedQuery, queryFields } from '@hearth/core/query/fields.ts';
import type { Query } from '@hearth/core/query/query.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { plainJsonFromExport } from '@hearth/core/tree/node-json.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { RequestContext } from '../../access/authorization-request.ts';
import type { Principal } from '../../access/principal.ts';
import { OutgoingMessage } from '../../storage/transaction/outgoing-message.ts';
import type { Receiver, WriteTransaction } from '../../storage/transaction/transaction.ts';
import { isReadable, requireReadable } from './authorize.ts';
import type { Database, Reader } from './database.ts';
import type { QuerySubscription, WindowPayer } from './listens.ts';
import { readRecordedQuery, requireIndexed } from './read.ts';

/** A subscription without a session. */
export interface ListenRequest {
  readonly identity: Principal;
  /** Returns the network of the client. */
  readonly networkOf?: () => string;
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
  /** The value is longer than the longest allowed response. */
  | 'too-big'
  /** The observer failed to process the data. */
  | 'failed';

/**
 * The observer of a listen. The calls come in this order: `begin` once, then `deliver`, then `end` unless the
 * listen is stopped.
 */
export interface ListenObserver {
  /** Receives the first value, as JSON text in the requested format. */
  begin(json: string): void;
  /** Receives the pushes of one transaction, in order: `setPush` or `mergePush`, in export format. */
  deliver(pushes: readonly OutgoingMessage[]): void;
  end(reason: ListenEnd): void;
}

/** A marker among the outgoing messages: the rules no longer allow the messages after it. */
const REVOKED = new OutgoingMessage('');

/** A tag distinguishes the queries of one receiver. Here each receiver has one query. */
const TAG = 0;

/** A listen without a session: no order of requests, no hashes, and a fixed principal. */
export class StandaloneListen implements Receiver, Reader {
  readonly #request: ListenRequest;
  readonly #observer: ListenObserver;
  readonly #payer: WindowPayer;
  #database: Database | undefined;
  #unregister: (() => void) | undefined;
  #hasBegun = false;
  #isOver = false;

  /** `payer` pays for the window of the query. */
  constructor(request: ListenRequest, observer: ListenObserver, payer: WindowPayer) {
    this.#request = request;
    this.#payer = payer;
    this.#observer = observer;
  }

  /**
   * Reads the first value and listens from then on. Must be called in a transaction. Throws `access/denied`,
   * `query/unindexed` for a query without an index, and `read/too-big`. Does nothing after `stop`.
   */
  start(transaction: WriteTransaction, database: Database): void {
    if (this.#isOver) return;
    requireReadable(transaction, database, this.#context, this.#request);
    this.#unregister = this.#register(transaction, database);
    this.#database = database;
    database.readers.add(this);
    transaction.onRollback(() => this.#unsubscribe());
  }

  /** Stops the listen without calling the observer. Idempotent. */
  stop(): void {
    this.#isOver = true;
    this.#unsubscribe();
  }

  recheckReads(transaction: WriteTransaction): void {
    if (
      this.#database !== undefined &&
      !isReadable(transaction, this.#database, this.#context, this.#request)
    )
      transaction.send(this, REVOKED);
  }

  get #context(): RequestContext {
    const { identity, networkOf } = this.#request;
    return { operation: 'stream', identity, ...(networkOf === undefined ? {} : { networkOf }) };
  }

  deliver(messages: readonly OutgoingMessage[]): void {
    if (this.#isOver) return;
    const revokedAt = messages.indexOf(REVOKED);
    try {
      this.#notify(revokedAt === -1 ? messages : messages.slice(0, revokedAt));
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
  #notify(messages: readonly OutgoingMessage[]): void {
    const [first, ...rest] = messages;
    if (this.#hasBegun || first === undefined) {
      if (first !== undefined) this.#observer.deliver(messages);
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
  #register(transaction: WriteTransaction, database: Database): () => void {
    const { path, query, form } = this.#request;
    const { listens } = database;
    if (query !== null) return this.#registerQuery(transaction, database, query);
    transaction.send(this, new OutgoingMessage(database.tree(transaction).nodeJson(path, form)));
    listens.addDefault(path, this);
    return () => listens.removeDefault(path, this);
  }

  #registerQuery(transaction: WriteTransaction, database: Database, query: Query): () => void {
    const { path, form } = this.#request;
    const { listens } = database;
    requireIndexed(transaction, database, path, query.index);
    const { text } = parseNamedQuery(queryFields(query));
    const tree = database.tree(transaction);
    const entries =
      listens.findQuery(path, text)?.window ?? readRecordedQuery(transaction, database, path, query);
    const json = tree.childrenJson(
      path,
      entries.map((entry) => entry.key),
    );
    transaction.send(
      this,
      new OutgoingMessage(form === 'plain' ? plainJsonFromExport(parseJsonText(json)) : json),
    );
    const subscription: QuerySubscription = { receiver: this, tag: TAG, payer: this.#payer };
    listens.addQuery(path, text, query, query.limit === null ? null : entries, subscription);
    return () => listens.removeQuery(path, text, subscription);
  }

  #unsubscribe(): void {
    this.#unregister?.();
    this.#unregister = undefined;
    this.#database?.readers.delete(this);
    this.#database = undefined;
  }
}
