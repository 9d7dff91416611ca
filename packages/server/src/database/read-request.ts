import type { Query } from '@hearth/core/query/query.ts';
import type { Path } from '@hearth/core/tree/path.ts';
import type { Asker } from './asker.ts';

/** What of a place is read. */
export type Selection =
  /** All of it. */
  | { readonly kind: 'node' }
  /** Its priority; JSON `null` when it has none. */
  | { readonly kind: 'priority' }
  /**
   * `{"<key>":true,…}` for an object, a leaf itself, `null` for nothing. The keys after `startAfter`, in key order, and at
   * most `limit` of them.
   */
  | { readonly kind: 'shallow'; readonly startAfter: string | null; readonly limit: number | null }
  /** An object of the children that the query shows; `{}` when it shows none of a node that is there. */
  | { readonly kind: 'query'; readonly query: Query };

export interface ReadRequest extends Asker {
  readonly path: Path;
  /** Does it only complete the answer to a write? Then nobody who keeps what is asked is told. */
  readonly isFollowUp?: boolean;
  /** `export` keeps priorities; `plain` leaves them out and shows array-like objects as arrays. */
  readonly form: 'export' | 'plain';
  readonly selection: Selection;
  /** Is the hash of the whole node to be found too? It costs a look at all of it. */
  readonly wantsHash: boolean;
  /** How long the answer may take in all, the reader's own time included; then it is broken off. */
  readonly timeoutMs: number;
}

/** JSON text in UTF-8: at once, or in parts made while they are asked for. All parts show one state of the database. */
export type JsonStream =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  /**
   * Must be read to its end or returned, because it keeps a state of the database. Throws when it takes too long, or when
   * the state cannot be kept; `broken` is aborted then, for whoever is not asking for the next part. Each part belongs to
   * the receiver, unless parts are shared.
   */
  | {
      readonly kind: 'parts';
      readonly parts: AsyncGenerator<Buffer, void, undefined>;
      readonly broken?: AbortSignal;
      readonly areShared?: true;
    };

export interface ReadAnswer {
  readonly json: JsonStream;
  /** Hash of the node, `''` for nothing; `null` unless it was asked for. */
  readonly hash: string | null;
}
