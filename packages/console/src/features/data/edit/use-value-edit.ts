import { useCallback, useEffect, useState } from 'react';
import { ApiError } from '../../../server/api-error.ts';
import { useConnectivity } from '../../../server/connectivity.ts';
import { type NodeText, readNode, writeNode } from '../../../server/data-nodes.ts';
import { useApi } from '../../../session/session.ts';
import type { NodePath } from '../model/node-path.ts';
import { draftOf, parseDraft, printLeaf, readLeaf, type ValueDraft } from './leaf-text.ts';

/** One value that is being edited, and how far that has come. */
export interface ValueEdit {
  readonly path: NodePath;
  /** The node as whoever edits has seen it. */
  readonly seen: NodeText;
  readonly draft: ValueDraft;
  readonly phase:
    | { readonly kind: 'editing' }
    | { readonly kind: 'problem'; readonly problem: 'number' | 'json' }
    | { readonly kind: 'saving' }
    /** The server does not answer: it is asked again when it does. */
    | { readonly kind: 'waiting' }
    | { readonly kind: 'failed'; readonly error: unknown }
    /** Somebody else has changed the node meanwhile. */
    | { readonly kind: 'stale'; readonly current: NodeText };
}

export interface ValueEditor {
  readonly edit: ValueEdit | null;
  /** Reads the node and begins. Rejects with an `ApiError`. */
  open(path: NodePath): Promise<void>;
  change(draft: ValueDraft): void;
  save(): void;
  /** Decides against whoever was faster: mine, on top of theirs. */
  overwrite(): void;
  close(): void;
}

/** Edits one value at a time. It is written only if the node is still what was seen. */
export function useValueEdit(
  database: string,
  onSaved: (path: NodePath, before: NodeText, hashAfter: string) => void,
): ValueEditor {
  const api = useApi();
  const [edit, setEdit] = useState<ValueEdit | null>(null);
  const isOnline = useConnectivity(({ kind }) => kind === 'online');

  const open = useCallback(
    async (path: NodePath) => {
      const seen = await readNode(api, database, path);
      setEdit({ path, seen, draft: draftOf(readLeaf(seen.text).value), phase: { kind: 'editing' } });
    },
    [api, database],
  );

  const write = useCallback(
    async (editing: ValueEdit, seen: NodeText) => {
      const parsed = parseDraft(editing.draft);
      if (parsed.kind === 'problem') return setEdit({ ...editing, phase: parsed });
      const text = printLeaf(parsed.value, readLeaf(seen.text).priority);
      setEdit({ ...editing, seen, phase: { kind: 'saving' } });
      try {
        const outcome = await writeNode(api, database, editing.path, { text, hash: seen.hash });
        // What was sent before the connection broke may have arrived.
        if (outcome.kind === 'stale' && outcome.current.text !== text)
          return setEdit({ ...editing, seen, phase: outcome });
        setEdit(null);
        onSaved(editing.path, seen, outcome.kind === 'written' ? outcome.hash : outcome.current.hash);
      } catch (error) {
        const isUnanswered = error instanceof ApiError && error.status === 0;
        setEdit({ ...editing, seen, phase: isUnanswered ? { kind: 'waiting' } : { kind: 'failed', error } });
      }
    },
    [api, database, onSaved],
  );

  useEffect(() => {
    if (isOnline && edit?.phase.kind === 'waiting') void write(edit, edit.seen);
  }, [isOnline, edit, write]);

  return {
    edit,
    open,
    change: (draft) => setEdit((before) => before && { ...before, draft, phase: { kind: 'editing' } }),
    save: () => {
      if (edit !== null && edit.phase.kind !== 'saving') void write(edit, edit.seen);
    },
    overwrite: () => {
      if (edit?.phase.kind === 'stale') void write(edit, edit.phase.current);
    },
    close: () => setEdit(null),
  };
}
