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
import { type Database, PostponedRequest, type Postponement, type ScanMemory } from './database.ts';
import type { QuerySubscription, WindowPayer } from './listens.ts';
import { readRecordedQuery, readValueText, requireIndexed } from './read.ts';
import type { ReadCheck, Reader, UncheckedReads } from './read-checks.ts';

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
  /** Receives the first value, as JSON text in the requested format. The text of a long one is pending. */
  begin(value: OutgoingMessage): void;
  /** Receives the pushes of one transaction, in order: `setPush` or `mergePush`, in export format. */
  deliver(pushes: readonly OutgoingMessage[]): void;
  end(reason: ListenEnd): void;
}

/** A marker among the outgoing messages: the rules no longer allow the messages after it. */
const REVOKED = new OutgoingMessage('');

/** A tag distinguishes the queries of one receiver. Here each receiver has one query. */
const TAG = 0;

/** A listen without a session: no order of requests, no hashes, and a fixed principal. */
export class StandaloneListen implements Receiver, Reader, UncheckedReads {
  readonly #request: ListenRequest;
  readonly #observer: ListenObserver;
  readonly #payer: WindowPayer;
  readonly #memory: ScanMemory;
  /** Ends the wait for a place to generate the first value. */
  #endWait: (() => void) | undefined;
  #database: Database | undefined;
  #unregister: (() => void) | undefined;
  #isUnchecked = false;
  #hasBegun = false;
  #isOver = false;

  /** `payer` pays for the window of the query. A long first value takes its bytes from `memory`. */
  constructor(request: ListenRequest, observer: ListenObserver, payer: WindowPayer, memory: ScanMemory) {
    this.#request = request;
    this.#payer = payer;
    this.#memory = memory;
    this.#observer = observer;
  }

  /** The request that the listen answers. */
  get request(): ListenRequest {
    return this.#request;
  }

  get identity(): Principal {
    return this.#request.identity;
  }

  /**
   * Reads the first value and listens from then on. Must be called in a transaction. Throws `access/denied`,
   * `query/unindexed` for a query without an index, and `read/too-big`. Returns what to wait for before the next attempt, if
   * too many long values are being generated. Does nothing after `stop`.
   */
  start(transaction: WriteTransaction, database: Database): Postponement | undefined {
    if (this.#isOver) return undefined;
    requireReadable(transaction, database, this.#context, this.#request);
    try {
      this.#unregister = this.#register(transaction, database);
    } catch (error) {
      if (error instanceof PostponedRequest) return error.wait;
      throw error;
    }
    this.#database = database;
    database.readers.add(this);
    transaction.onRollback(() => this.#unsubscribe());
    return undefined;
  }

  /** Resolves when the listen may be started again, or when it is stopped. */
  async waitFor(wait: Postponement): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#endWait = () => {
      wait.stop();
      resolve();
    };
    if (this.#isOver) this.#endWait();
    await Promise.race([wait.run(), promise]);
  }

  /** Stops the listen without calling the observer. Idempotent. */
  stop(): void {
    this.#isOver = true;
    this.#endWait?.();
    this.#unsubscribe();
  }

  get unchecked(): UncheckedReads | null {
    return this.#isUnchecked ? this : null;
  }

  beginChecks(transaction: WriteTransaction): void {
    this.#setUnchecked(transaction, true);
  }

  readChecks(): readonly ReadCheck[] {
    return [(transaction) => this.admit(transaction)];
  }

  /** Authorizes the read. It is the only one of its connection, so there is no need to do it later. */
  admit(transaction: WriteTransaction): boolean {
    if (this.#database === undefined) return false;
    if (!this.#isUnchecked) return true;
    if (isReadable(transaction, this.#database, this.#context, this.#request)) {
      this.#setUnchecked(transaction, false);
      return true;
    }
    transaction.send(this, REVOKED);
    return false;
  }

  #setUnchecked(transaction: WriteTransaction, isUnchecked: boolean): void {
    const before = this.#isUnchecked;
    this.#isUnchecked = isUnchecked;
    this.#recordUnchecked();
    transaction.onRollback(() => {
      this.#isUnchecked = before;
      this.#recordUnchecked();
    });
  }

  #recordUnchecked(): void {
    if (this.#isUnchecked) this.#database?.listens.unchecked.add(this);
    else this.#database?.listens.unchecked.delete(this);
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
    this.#observer.begin(first);
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
    const tree = database.tree(transaction);
    const json = readValueText(transaction, database, this.#memory, {
      path,
      json: (maxBytes) => tree.nodeJson(path, form, maxBytes),
      openPieces: tree.selectionJson(path, { kind: 'node' }, form),
    });
    transaction.send(this, new OutgoingMessage(json));
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
    const keys = entries.map((entry) => entry.key);
    const json = readValueText(transaction, database, this.#memory, {
      path,
      json: (maxBytes) => {
        const exported = tree.childrenJson(path, keys, maxBytes);
        return form === 'plain' ? plainJsonFromExport(parseJsonText(exported)) : exported;
      },
      openPieces:
        form === 'plain'
          ? tree.selectionJson(path, { kind: 'query', query }, form)
          : tree.childrenPieces(path, keys),
    });
    transaction.send(this, new OutgoingMessage(json));
    const subscription: QuerySubscription = { receiver: this, tag: TAG, payer: this.#payer };
    listens.addQuery(path, text, query, query.limit === null ? null : entries, subscription);
    return () => listens.removeQuery(path, text, subscription);
  }

  #unsubscribe(): void {
    this.#unregister?.();
    this.#unregister = undefined;
    this.#database?.readers.delete(this);
    this.#database?.listens.unchecked.delete(this);
    this.#database = undefined;
  }
}
