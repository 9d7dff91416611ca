import type { Query } from '@hearth/core/query/query.ts';
import { queryFields } from '@hearth/core/query/query-fields.ts';
import { parseNamedQuery } from '@hearth/core/query/query-text.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import { plainFromExport } from '@hearth/core/tree/plain-from-export.ts';
import { Frame } from '../commit/frame.ts';
import type { Receiver, Turn } from '../commit/turn.ts';
import type { Identity } from '../identity/identity.ts';
import type { Asker } from './asker.ts';
import type { Database, Reader } from './database.ts';
import { mustBeIndexed } from './indexed.ts';
import type { QuerySubscription } from './listen-registry.ts';
import { isReadable, mustBeReadable } from './permission.ts';
import { readNotedQuery } from './read-noted-query.ts';

/** What somebody without a session wants to be told about. */
export interface ListenRequest {
  readonly identity: Identity;
  readonly path: Path;
  /** `null` for the whole node. */
  readonly query: Query | null;
  /** Form of the value that is told first. */
  readonly form: 'export' | 'plain';
}

/** Why a listen ended that nobody stopped. */
export type ListenEnd =
  /** The rules do not allow it any longer. */
  | 'revoked'
  /** What it shows is longer than any answer may be. */
  | 'too-big'
  /** The observer could not take what it was told. */
  | 'failed';

/** Who is told, in this order: once `begin`, then changes, then perhaps the end. */
export interface ListenObserver {
  /** What is there, as JSON text in the form asked for. */
  begin(json: string): void;
  /** The pushes of one turn, in order: `setPush` or `mergePush`, in export form. */
  deliver(pushes: readonly Frame[]): void;
  end(reason: ListenEnd): void;
}

/** Takes the place of a push where the rules put an end to the pushes. */
const REVOKED = new Frame('');

/** A tag tells apart the queries of one receiver, and here each has only one. */
const TAG = 0;

/** One listen of somebody who has nothing else: no requests in an order, no hashes, no way to change who it is. */
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
   * Reads the first value and listens from then on; to be called in a turn. Refuses with `access/denied`, with
   * `query/unindexed` a query without an index, and with `read/too-big`. Does nothing after `stop`.
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

  /** Called for what cannot be read to be told. */
  end(): void {
    this.#end('too-big');
  }

  /** The first frame of all is the value; all others are pushes. */
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

  /** Sends the value and returns how to leave. */
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
