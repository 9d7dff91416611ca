/** What a client believes of the node it writes: nothing, the truth as it last saw it, a mistake, or that it is absent. */
export type Guess = 'none' | 'right' | 'wrong' | 'absent';

/** Members of an update: relative path and JSON text. */
export type UpdateFields = readonly (readonly [relative: string, json: string])[];

/** One request of a client. Values and queries are JSON text, as they go over the wire. */
export type ClientRequest =
  | { readonly kind: 'put'; readonly path: string; readonly json: string; readonly guess: Guess }
  | { readonly kind: 'merge'; readonly path: string; readonly fields: UpdateFields; readonly guess: Guess }
  /** `isHeld`: the client says by hash that it has the data already. */
  | {
      readonly kind: 'listen';
      readonly path: string;
      readonly queryJson: string | null;
      readonly isHeld: boolean;
    }
  /** Listens again to something it listens to; `which` counts round. */
  | { readonly kind: 'relisten'; readonly which: number; readonly isHeld: boolean }
  | { readonly kind: 'unlisten'; readonly which: number; readonly by: 'tag' | 'query' }
  | { readonly kind: 'get'; readonly path: string; readonly queryJson: string | null }
  | { readonly kind: 'remember'; readonly path: string; readonly json: string }
  | { readonly kind: 'remember-all'; readonly path: string; readonly fields: UpdateFields }
  | { readonly kind: 'cancel'; readonly path: string }
  | { readonly kind: 'unauth' }
  | { readonly kind: 'leave' };

/** Something that happens within one turn of the event loop. */
export type Happening =
  | { readonly kind: 'request'; readonly client: number; readonly request: ClientRequest }
  | { readonly kind: 'rules'; readonly which: number }
  /** A subtree that is too large for a commit is put in its place. */
  | { readonly kind: 'link'; readonly path: string; readonly number: number }
  | { readonly kind: 'work'; readonly entries: number }
  /** A task that throws, so that the whole turn is undone. */
  | { readonly kind: 'bug' };

/** The disk is full when the turn ends, or at one of its writes. */
export type Fault = { readonly kind: 'none' } | { readonly kind: 'full'; readonly atPut: number | null };

export type Step =
  | {
      readonly kind: 'turn';
      readonly happenings: readonly Happening[];
      readonly fault: Fault;
      /** May be negative: the clock went back. */
      readonly passedMs: number;
    }
  /** A client says who it is and sends more without waiting for the answer. */
  | {
      readonly kind: 'identify';
      readonly client: number;
      readonly as: 'user' | 'owner' | 'unreadable';
      readonly next: readonly ClientRequest[];
      readonly fault: Fault;
    }
  /** The server looks whether there is room for what sessions left to be written. */
  | { readonly kind: 'retry'; readonly fault: Fault }
  /** All clients are gone. Only when it is clean have their sessions been ended before. */
  | { readonly kind: 'restart'; readonly isClean: boolean };
