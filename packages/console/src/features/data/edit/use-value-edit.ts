import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../elements/show-controls.ts';
import { isFocusNowhere, rememberFocus } from '../../../elements/use-focus-after.ts';
import { isUnanswered } from '../../../server/api-error.ts';
import { useConnectivity } from '../../../server/connectivity.ts';
import type { NodeText } from '../../../server/data-nodes.ts';
import { lastKeyOf, type NodePath } from '../model/node-path.ts';
import { draftOf, parseDraft, printLeaf, readLeaf, type ValueDraft } from './leaf-text.ts';
import type { NodeActs } from './node-acts.ts';

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

type EditField = HTMLInputElement | HTMLSelectElement;

export interface ValueEditor {
  /** Is a value only staged when it is saved? */
  readonly isStaged: boolean;
  readonly edit: ValueEdit | null;
  /** Reads the node and begins. Rejects with an `ApiError`, or a sentence when there is another edit to finish first. */
  open(path: NodePath): Promise<void>;
  change(draft: ValueDraft): void;
  save(): void;
  /** Decides against whoever was faster: mine, on top of theirs. */
  overwrite(): void;
  close(): void;
  /** Gives the focus to the field of an edit that has begun, and to that of one whose line was drawn anew while it had the focus. */
  readonly focusField: (field: EditField | null) => void;
}

/** Edits one value at a time. It is written only if the node is still what was seen. */
export function useValueEdit({ isStaged, read, write: writeNode, tellSaved }: NodeActs): ValueEditor {
  const { t } = useTranslation('data');
  const [edit, setEdit] = useState<ValueEdit | null>(null);
  const isOnline = useConnectivity(({ kind }) => kind === 'online');

  const latest = useRef(edit);
  latest.current = edit;
  const openings = useRef(0);
  const field = useRef<EditField | null>(null);
  const isBeginning = useRef(false);
  const focusField = useCallback((next: EditField | null) => {
    field.current = next;
    if (next === null) return;
    if (isBeginning.current) beginIn(next);
    else if (isFocusNowhere()) goOnIn(next);
    isBeginning.current = false;
  }, []);

  const open = useCallback(
    async (path: NodePath) => {
      const mustBeFinished = (): void => {
        const unfinished = latest.current;
        if (unfinished !== null && (isChanged(unfinished) || unfinished.phase.kind === 'saving'))
          throw new Error(t('edit.unfinished', { key: showControls(lastKeyOf(unfinished.path)) }));
      };
      mustBeFinished();
      openings.current += 1;
      const opening = openings.current;
      const isStillHere = rememberFocus();
      const seen = await read(path);
      mustBeFinished();
      // Of several that are asked for at once, the last is meant.
      if (opening !== openings.current) return;
      // Whoever asks again for what is open already finds its field there.
      const shown = latest.current?.path === path ? field.current : null;
      if (shown !== null) beginIn(shown);
      else isBeginning.current = isStillHere();
      setEdit({ path, seen, draft: draftOf(readLeaf(seen.text).value), phase: { kind: 'editing' } });
    },
    [read, t],
  );

  const write = useCallback(
    async (editing: ValueEdit, seen: NodeText) => {
      const parsed = parseDraft(editing.draft);
      if (parsed.kind === 'problem') return setEdit({ ...editing, phase: parsed });
      const text = printLeaf(parsed.value, readLeaf(seen.text).priority);
      const saving: ValueEdit = { ...editing, seen, phase: { kind: 'saving' } };
      setEdit(saving);
      /** Somebody may have given it up meanwhile, and begun another. */
      const goOn = (next: ValueEdit | null): void => setEdit((before) => (before === saving ? next : before));
      try {
        const outcome = await writeNode(editing.path, { text, hash: seen.hash });
        // What was sent before the connection broke may have arrived.
        if (outcome.kind === 'stale' && outcome.current.text !== text)
          return goOn({ ...saving, phase: outcome });
        goOn(null);
        tellSaved(editing.path, seen, outcome.kind === 'written' ? outcome.hash : outcome.current.hash);
      } catch (error) {
        goOn({ ...saving, phase: isUnanswered(error) ? { kind: 'waiting' } : { kind: 'failed', error } });
      }
    },
    [writeNode, tellSaved],
  );

  useEffect(() => {
    if (isOnline && edit?.phase.kind === 'waiting') void write(edit, edit.seen);
  }, [isOnline, edit, write]);

  return {
    isStaged,
    edit,
    open,
    change: (draft) =>
      setEdit((before) =>
        before === null || before.phase.kind === 'saving'
          ? before
          : { ...before, draft, phase: { kind: 'editing' } },
      ),
    save: () => {
      if (edit !== null && edit.phase.kind !== 'saving') void write(edit, edit.seen);
    },
    overwrite: () => {
      if (edit?.phase.kind === 'stale') void write(edit, edit.phase.current);
    },
    close: () => setEdit(null),
    focusField,
  };
}

/** What is typed first takes the place of the value. */
function beginIn(field: EditField): void {
  field.focus();
  if (field instanceof HTMLInputElement) field.select();
}

/** Whoever was typing types on, wherever the field has come to be. */
function goOnIn(field: EditField): void {
  field.focus({ preventScroll: true });
  if (field instanceof HTMLInputElement) field.setSelectionRange(field.value.length, field.value.length);
}

function isChanged({ seen, draft }: ValueEdit): boolean {
  const first = draftOf(readLeaf(seen.text).value);
  return draft.kind !== first.kind || draft.text !== first.text;
}
