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
