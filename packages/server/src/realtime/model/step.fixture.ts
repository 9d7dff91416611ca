/**
 * The precondition that a client sends with a write: none, the hash of the node before the transaction, a wrong
 * hash, or that the node is absent.
 */
export type Guess = 'none' | 'right' | 'wrong' | 'absent';

/** Members of an update: relative path and JSON text. */
export type UpdateFields = readonly (readonly [relative: string, json: string])[];

/** One request of a client. Values and queries are JSON text, as on the wire. */
export type ClientRequest =
  | { readonly kind: 'put'; readonly path: string; readonly json: string; readonly guess: Guess }
  | { readonly kind: 'merge'; readonly path: string; readonly fields: UpdateFields; readonly guess: Guess }
  /** `isHeld`: the client states by a hash that it already has the data. */
  | {
      readonly kind: 'listen';
      readonly path: string;
      readonly queryJson: string | null;
      readonly isHeld: boolean;
    }
  /** Repeats a listen. `which` is taken modulo the number of listens. */
  | { readonly kind: 'relisten'; readonly which: number; readonly isHeld: boolean }
  | { readonly kind: 'unlisten'; readonly which: number; readonly by: 'tag' | 'query' }
  | { readonly kind: 'get'; readonly path: string; readonly queryJson: string | null }
  | { readonly kind: 'queue-write'; readonly path: string; readonly json: string }
  | { readonly kind: 'queue-update'; readonly path: string; readonly fields: UpdateFields }
  | { readonly kind: 'cancel'; readonly path: string }
  | { readonly kind: 'unauth' }
  | { readonly kind: 'leave' };

/** An event of a step. The events of one step share a transaction. */
export type ModelEvent =
  | { readonly kind: 'request'; readonly client: number; readonly request: ClientRequest }
  | { readonly kind: 'rules'; readonly which: number }
  /** An administrator links a subtree that is too large for a commit. */
  | { readonly kind: 'link'; readonly path: string; readonly number: number }
  | { readonly kind: 'work'; readonly entries: number }
  /** A task that throws, so that the whole transaction is rolled back. */
  | { readonly kind: 'bug' };

/** The disk is full at the end of the transaction, or at one of its writes. */
export type Fault = { readonly kind: 'none' } | { readonly kind: 'full'; readonly atPut: number | null };

export type Step =
  | {
      readonly kind: 'transaction';
      readonly events: readonly ModelEvent[];
      readonly fault: Fault;
      /** May be negative: the clock was set back. */
      readonly passedMs: number;
    }
  /** A client signs in and sends more requests without waiting for the response. */
  | {
      readonly kind: 'identify';
      readonly client: number;
      readonly as: 'user' | 'owner' | 'unreadable';
      readonly next: readonly ClientRequest[];
      readonly fault: Fault;
    }
  /** The server checks whether the disk has space for the queues of ended sessions. */
  | { readonly kind: 'retry'; readonly fault: Fault }
  /** The server restarts, and all clients leave. With `isClean`, their sessions end before the server stops. */
  | { readonly kind: 'restart'; readonly isClean: boolean };
