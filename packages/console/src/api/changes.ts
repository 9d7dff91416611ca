import { type Api, ApiError } from './client.ts';

/** A change that was made in the console; see docs/reference/api.md. */
export interface ListedChange {
  readonly id: number;
  readonly kind: 'write' | 'removal' | 'import' | 'undo';
  readonly timeMs: number;
  readonly author: string;
  /** Whether the caller made it. */
  readonly isOwn: boolean;
  /** The first paths that it wrote. */
  readonly paths: readonly string[];
  /** Number of all paths. */
  readonly count: number;
  /** Size of the data that the server keeps for the undo. */
  readonly bytes: number;
  /** Whether `bytes` includes all of that data; the server measures large data later. */
  readonly isMeasured: boolean;
  readonly canUndo: boolean;
  readonly final: 'too-large' | 'displaced' | 'forgotten' | null;
  /** The change that this one undid. */
  readonly undoes: number | null;
  /** The change that undid this one. */
  readonly undoneBy: number | null;
}

/** The limits of the data that the server keeps to undo changes. */
export interface UndoLimits {
  readonly bytes: number;
  readonly paths: number;
  readonly ageMs: number;
}

export interface ChangePage {
  readonly changes: readonly ListedChange[];
  /** The `before` parameter of the next page; `null` on the last page. */
  readonly next: number | null;
  readonly limits: UndoLimits;
}

/** The author of a write, as the log has it. */
export interface WriteAuthor {
  readonly kind: 'admin' | 'guest' | 'user';
  readonly uid?: string;
  /** The tenant that has the account. */
  readonly tenant?: string;
}

/** The last write that changed a node, as far as the log has it; see docs/reference/api.md. */
export type LastWrite = KnownLastWrite & {
  /** The commits of a database that the server keeps. */
  readonly kept: { readonly commits: number; readonly bytes: number };
};

type KnownLastWrite =
  | {
      readonly kind: 'write';
      readonly timeMs: number;
      readonly author: WriteAuthor;
      /** The written path, which can be above or below that of the node. */
      readonly path: string;
      /** Number of paths that were written together. */
      readonly paths: number;
      readonly change: { readonly id: number; readonly author: string } | null;
    }
  | { readonly kind: 'older'; readonly sinceMs: number | null }
  | { readonly kind: 'never' };

/** The last write at a path since a change. */
export interface LaterWrite {
  readonly path: string;
  readonly timeMs: number;
  readonly author: WriteAuthor;
  readonly count: number;
  /** The current value as JSON; `null` if it is long. */
  readonly json: string | null;
}

/** The writes since a change that its undo would overwrite. */
export interface LaterWrites {
  /** The latest commit that they include. An undo confirms it. */
  readonly seq: number;
  readonly isComplete: boolean;
  readonly count: number;
  readonly writes: readonly LaterWrite[];
}

export type UndoOutcome =
  /** `change` undoes the undo; `null` if there was nothing to restore. */
  | { readonly kind: 'undone'; readonly change: number | null }
  | { readonly kind: 'conflict'; readonly later: LaterWrites };

function changesAddress(database: string): string {
  return `/api/databases/${encodeURIComponent(database)}/changes`;
}

/** Reads the latest changes of a database, or those before an ID. */
export function readChanges(
  api: Api,
  database: string,
  before: number | undefined,
  limit: number,
  signal?: AbortSignal,
): Promise<ChangePage> {
  return api.json(changesAddress(database), { query: { before, limit }, signal });
}

export function readLaterWrites(
  api: Api,
  database: string,
  id: number,
  signal?: AbortSignal,
): Promise<LaterWrites> {
  return api.json(`${changesAddress(database)}/${id}/later`, { signal });
}

/** Undoes a change. `confirmed` is the commit up to which later writes are overwritten. */
export async function undoChange(
  api: Api,
  database: string,
  id: number,
  confirmed?: number,
): Promise<UndoOutcome> {
  try {
    const address = `${changesAddress(database)}/${id}/undo`;
    const { change } = await api.json<{ readonly change: number | null }>(address, {
      method: 'POST',
      query: { confirmed },
    });
    return { kind: 'undone', change };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'change/conflict') throw error;
    const { later } = error.details as { readonly later: LaterWrites };
    return { kind: 'conflict', later };
  }
}

/** Removes the data that the server keeps for the undo of a change. */
export async function forgetChange(api: Api, database: string, id: number): Promise<void> {
  await api.send(`${changesAddress(database)}/${id}`, { method: 'DELETE' });
}

export function readLastWrite(
  api: Api,
  database: string,
  path: string,
  signal?: AbortSignal,
): Promise<LastWrite> {
  return api.json(`/api/databases/${encodeURIComponent(database)}/last-write`, { query: { path }, signal });
}
