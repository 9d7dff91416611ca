import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Principal } from '../../access/principal.ts';

/** Who a connection speaks for. */
export type ConnectionIdentity =
  | { readonly kind: 'guest' | 'admin' | 'viewer' }
  | { readonly kind: 'user'; readonly uid: string | null };

/** A connection as administrators see it. */
export interface ConnectionSummary {
  /** Counts up from 1 in each run of the server, in all databases together. */
  readonly id: number;
  readonly address: string;
  readonly userAgent: string;
  /** What the client says that it is, such as `sdk.js.12-0-0`; `null` if it has said nothing. */
  readonly sdk: string | null;
  readonly transport: 'websocket' | 'long-poll' | 'event-stream';
  readonly sinceMs: number;
  readonly identity: ConnectionIdentity;
  readonly listens: number;
  /** Places that are written to when the connection ends. */
  readonly pendingDisconnects: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** Something that a connection listens to. */
export interface ConnectionListen {
  readonly path: string;
  /** The query as clients send it; `null` for the whole node. */
  readonly query: Readonly<Record<string, unknown>> | null;
}

/** Some connections of each database, by ascending id. */
export interface ConnectionSource {
  /** Those with ids above `after`, at most `limit`. */
  list(database: string, after: number, limit: number): readonly ConnectionSummary[];
  find(database: string, id: number): ConnectionSummary | undefined;
  /** What it listens to, at most `limit`; `[]` for a connection that is not there. */
  listens(database: string, id: number, limit: number): readonly ConnectionListen[];
  /** Ends a connection, whose client may come back. Was it there? */
  end(database: string, id: number): boolean;
}

/** Who somebody is, without what rules are told of them. */
export function identitySummary(identity: Principal): ConnectionIdentity {
  if (identity.kind !== 'user') return { kind: identity.kind };
  const { uid } = identity.auth;
  return { kind: 'user', uid: typeof uid === 'string' ? uid : null };
}

/** A page of the connections of a database, and the id after which there are more. */
export interface ConnectionPage {
  readonly connections: readonly ConnectionSummary[];
  readonly next: number | null;
}

/** Listens of one connection that are told; there may be more. */
const MAX_LISTENS = 200;

/** All connections of clients, whatever they are connected by. */
export class Connections {
  readonly #sources: readonly ConnectionSource[];

  constructor(sources: readonly ConnectionSource[]) {
    this.#sources = sources;
  }

  /** By ascending id, which is the order in which they came. */
  list(database: string, after: number, limit: number): ConnectionPage {
    const found = this.#sources
      .flatMap((source) => source.list(database, after, limit + 1))
      .sort((a, b) => a.id - b.id);
    const connections = found.slice(0, limit);
    return { connections, next: found.length > limit ? (connections.at(-1)?.id ?? null) : null };
  }

  /** Refuses with `http/not-found` one that is not there, or not any more. */
  read(
    database: string,
    id: number,
  ): { readonly connection: ConnectionSummary; readonly listens: readonly ConnectionListen[] } {
    for (const source of this.#sources) {
      const connection = source.find(database, id);
      if (connection !== undefined) return { connection, listens: source.listens(database, id, MAX_LISTENS) };
    }
    throw missing(id);
  }

  /** Ends a connection, or refuses with `http/not-found`. */
  end(database: string, id: number): void {
    if (!this.#sources.some((source) => source.end(database, id))) throw missing(id);
  }
}

function missing(id: number): RequestError {
  return new RequestError('http/not-found', `There is no connection ${id}: perhaps it has ended.`);
}
