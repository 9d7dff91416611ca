import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { ConnectionListen, ConnectionSource, ConnectionSummary } from './connection-summary.ts';

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

function missing(id: number): Refusal {
  return new Refusal('http/not-found', `There is no connection ${id}: perhaps it has ended.`);
}
