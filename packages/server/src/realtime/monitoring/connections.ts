import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Principal } from '../../access/principal.ts';

/** The principal of a connection: an anonymous client, an administrator, a read-only admin or a user. */
export type ConnectionIdentity =
  | { readonly kind: 'guest' | 'admin' | 'viewer' }
  | { readonly kind: 'user'; readonly uid: string | null };

/** Summary of a connection for administrators. */
export interface ConnectionSummary {
  /** Sequence number across all databases. Starts at 1 each time the server starts. */
  readonly id: number;
  readonly address: string;
  readonly userAgent: string;
  /** The client's description of itself, such as `sdk.js.12-0-0`; `null` if the client has sent none. */
  readonly sdk: string | null;
  readonly transport: 'websocket' | 'long-poll' | 'event-stream';
  readonly sinceMs: number;
  readonly identity: ConnectionIdentity;
  readonly listens: number;
  /** Number of paths that the server writes to when the connection ends. */
  readonly pendingDisconnects: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** A path or query that a connection listens to. */
export interface ConnectionListen {
  readonly path: string;
  /** The query in the form that clients send; `null` if the listen covers the whole node. */
  readonly query: Readonly<Record<string, unknown>> | null;
}

/** A provider of some of the connections of each database, in ascending order of id. */
export interface ConnectionSource {
  /** Returns the connections with ids above `after`, at most `limit`. */
  list(database: string, after: number, limit: number): readonly ConnectionSummary[];
  /** Returns a connection as `list` does. Any number is a valid argument. */
  find(database: string, id: number): ConnectionSummary | undefined;
  /** Returns the listens of a connection, at most `limit`; `[]` if the connection does not exist. */
  listens(database: string, id: number, limit: number): readonly ConnectionListen[];
  /** Ends a connection; its client may reconnect. Returns whether the connection existed. */
  end(database: string, id: number): boolean;
}

/**
 * Returns the identity of a principal without the claims that rules see. A `uid` that is not a string becomes
 * `null`.
 */
export function identitySummary(identity: Principal): ConnectionIdentity {
  if (identity.kind !== 'user') return { kind: identity.kind };
  const { uid } = identity.auth;
  return { kind: 'user', uid: typeof uid === 'string' ? uid : null };
}

/**
 * A page of the connections of a database. If there are more, `next` is the id after which the next page
 * starts.
 */
export interface ConnectionPage {
  readonly connections: readonly ConnectionSummary[];
  readonly next: number | null;
}

/** Maximum number of listens that are returned for one connection. The connection may have more. */
const MAX_LISTENS = 200;

/** Maximum number of connections that are examined for one page of the connections of a user. */
const MAX_EXAMINED = 2_000;
const EXAMINED_AT_ONCE = 500;

/** All client connections, over all transports. */
export class Connections {
  readonly #sources: readonly ConnectionSource[];

  constructor(sources: readonly ConnectionSource[]) {
    this.#sources = sources;
  }

  /** Returns a page of connections in ascending order of id, which is the order in which they were opened. */
  list(database: string, after: number, limit: number): ConnectionPage {
    const found = this.#sources
      .flatMap((source) => source.list(database, after, limit + 1))
      .sort((a, b) => a.id - b.id);
    const connections = found.slice(0, limit);
    return { connections, next: found.length > limit ? (connections.at(-1)?.id ?? null) : null };
  }

  /**
   * Returns a page of the connections of a user. Examines at most `MAX_EXAMINED`, so that a page may have fewer
   * connections than `limit`, or none, and still have a next page.
   */
  listOfUser(database: string, uid: string, after: number, limit: number): ConnectionPage {
    const found: ConnectionSummary[] = [];
    let next: number | null = after;
    for (let examined = 0; examined < MAX_EXAMINED && next !== null; examined += EXAMINED_AT_ONCE) {
      const page: ConnectionPage = this.list(database, next, EXAMINED_AT_ONCE);
      for (const connection of page.connections) {
        const { identity, id } = connection;
        if (identity.kind === 'user' && identity.uid === uid) found.push(connection);
        if (found.length === limit) return { connections: found, next: id };
      }
      next = page.next;
    }
    return { connections: found, next };
  }

  /**
   * Returns a connection with its listens, at most `MAX_LISTENS`. Throws `http/not-found` if the connection
   * does not exist or has ended.
   */
  read(
    database: string,
    id: number,
  ): { readonly connection: ConnectionSummary; readonly listens: readonly ConnectionListen[] } {
    for (const source of this.#sources) {
      const connection = source.find(database, id);
      if (connection !== undefined) return { connection, listens: source.listens(database, id, MAX_LISTENS) };
    }
    throw notFound(id);
  }

  /** Ends a connection. Throws `http/not-found` if it does not exist. */
  end(database: string, id: number): void {
    if (!this.#sources.some((source) => source.end(database, id))) throw notFound(id);
  }
}

function notFound(id: number): RequestError {
  return new RequestError('http/not-found', `The connection ${id} does not exist or has ended.`);
}
