import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import InputBase from '@mui/material/InputBase';
import NativeSelect from '@mui/material/NativeSelect';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, type ReactNode, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isUnavailable } from '../../../api/client.ts';
import type { NodeText } from '../../../api/data-nodes.ts';
import { useRetry } from '../../../api/query-state.ts';
import { isFocusNowhere, rememberFocus } from '../../../ui/interaction.ts';
import { CodeText, showControls } from '../../../ui/text.tsx';
import {
  changeKind,
  type DraftProblem,
  draftOf,
  isDraftOfOther,
  parseDraft,
  printLeaf,
  readLeaf,
  VALUE_KINDS,
  type ValueDraft,
} from '../model/leaf-value.ts';
import { lastKeyOf, type NodePath } from '../model/node-path.ts';
import type { NodeActions } from './node-actions.ts';

/** A value that is being edited, and the progress of the edit. */
export interface ValueEdit {
  readonly path: NodePath;
  /** The node when the edit began. */
  readonly seen: NodeText;
  readonly draft: ValueDraft;
  readonly phase:
    | { readonly kind: 'editing' }
    | { readonly kind: 'problem'; readonly problem: DraftProblem }
    | { readonly kind: 'saving' }
    /** The server does not respond. The edit is saved once it does. */
    | { readonly kind: 'waiting' }
    | { readonly kind: 'failed'; readonly error: unknown }
    /** A save failed, because another user changed the node since the edit began. */
    | { readonly kind: 'stale'; readonly current: NodeText };
}

type EditField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export interface ValueEditor {
  /** Whether saving stages the value instead of writing it. */
  readonly isStaged: boolean;
  readonly edit: ValueEdit | null;
  /** Reads the node and starts an edit. Rejects with an `ApiError`, or with an error if another edit is unsaved. */
  open(path: NodePath): Promise<void>;
  change(draft: ValueDraft): void;
  /** Saves the draft. Without a change of the value, closes the editor and writes nothing. */
  save(): void;
  /** Resolves a conflict: writes the draft over the other user's value. */
  overwrite(): void;
  close(): void;
  /** Ref of the input. Focuses the input when an edit starts, and when it has lost the focus because its row was rendered again. */
  readonly focusField: (field: EditField | null) => void;
}

/** Returns an editor for one value at a time. `save` writes only if the node has not changed since the edit began. */
export function useValueEdit({ isStaged, read, write: writeNode, showSaved }: NodeActions): ValueEditor {
  const { t } = useTranslation('data');
  const [edit, setEdit] = useState<ValueEdit | null>(null);

  const latest = useRef(edit);
  latest.current = edit;
  const openings = useRef(0);
  const field = useRef<EditField | null>(null);
  const isBeginning = useRef(false);
  const focusField = useCallback((next: EditField | null) => {
    field.current = next;
    if (next === null) return;
    if (isBeginning.current) focusAndSelect(next);
    else if (isFocusNowhere()) focusAtEnd(next);
    isBeginning.current = false;
  }, []);

  const open = useCallback(
    async (path: NodePath) => {
      const requireFinished = (): void => {
        const unfinished = latest.current;
        if (unfinished !== null && (isChanged(unfinished) || unfinished.phase.kind === 'saving'))
          throw new Error(t('edit.unfinished', { key: showControls(lastKeyOf(unfinished.path)) }));
      };
      requireFinished();
      openings.current += 1;
      const opening = openings.current;
      const isStillHere = rememberFocus();
      const seen = await read(path);
      requireFinished();
      // If the user opened several values quickly, only the last one counts.
      if (opening !== openings.current) return;
      // If the value is already open, its field exists and is not rendered again.
      const shown = latest.current?.path === path ? field.current : null;
      if (shown !== null) focusAndSelect(shown);
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
      /** Updates the edit, unless the user has closed it since. */
      const update = (next: ValueEdit | null): void =>
        setEdit((before) => (before === saving ? next : before));
      try {
        const outcome = await writeNode(editing.path, { text, hash: seen.hash });
        // A write that was sent before the connection broke may have been applied.
        if (outcome.kind === 'stale' && outcome.current.text !== text)
          return update({ ...saving, phase: outcome });
        update(null);
        showSaved(editing.path, outcome.kind === 'written' ? outcome.change : null);
      } catch (error) {
        update({ ...saving, phase: isUnavailable(error) ? { kind: 'waiting' } : { kind: 'failed', error } });
      }
    },
    [writeNode, showSaved],
  );

  const saveAgain = useCallback(() => {
    if (edit?.phase.kind === 'waiting') void write(edit, edit.seen);
  }, [edit, write]);
  useRetry(edit?.phase.kind === 'waiting', saveAgain);

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
      if (edit === null || edit.phase.kind === 'saving') return;
      if (isChanged(edit)) void write(edit, edit.seen);
      else setEdit(null);
    },
    overwrite: () => {
      if (edit?.phase.kind === 'stale') void write(edit, edit.phase.current);
    },
    close: () => setEdit(null),
    focusField,
  };
}

/** Focuses a field and selects its text, so that typing replaces it. */
function focusAndSelect(field: EditField): void {
  field.focus();
  if (!(field instanceof HTMLSelectElement)) field.select();
}

/** Focuses a field with the cursor at the end, so that the user can continue typing after it was rendered again. */
function focusAtEnd(field: EditField): void {
  field.focus({ preventScroll: true });
  if (field instanceof HTMLSelectElement) return;
  field.setSelectionRange(field.value.length, field.value.length);
}

function isChanged({ seen, draft }: ValueEdit): boolean {
  return isDraftOfOther(draft, readLeaf(seen.text).value);
}

/** Maximum number of lines that a field shows at once; further lines scroll. */
const MAX_LINES = 12;

/** Returns whether a key saves a text with lines: Enter, unless it starts a new line or ends a composition of characters. */
function isSaveKey({ key, shiftKey, target, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing && target instanceof HTMLTextAreaElement;
}

interface InlineEditorProps {
  readonly editor: ValueEditor;
  readonly edit: ValueEdit;
  readonly label: string;
  /** The current value, if another user changed it since the edit began. */
  readonly otherValue: string | null;
  readonly close: () => void;
}

/** Buttons of an editor in a row: flat enough for the row, and large enough for a finger. */
const BUTTON = {
  paddingBlock: 0,
  minWidth: 0,
  flexShrink: 0,
  '@media (pointer: coarse)': { minHeight: 40, paddingInline: 1.5 },
} as const;

/** Edits a value within its row. */
export function InlineEditor({ editor, edit, label, otherValue, close }: InlineEditorProps) {
  const { t } = useTranslation('data');
  const { draft, phase } = edit;
  const isSaving = phase.kind === 'saving';
  // A field with one line would drop line breaks.
  const isMultiline = draft.kind !== 'number';
  return (
    <Box
      component="form"
      data-editor
      onSubmit={(event) => {
        event.preventDefault();
        editor.save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          close();
        } else if (isSaveKey(event)) {
          event.preventDefault();
          editor.save();
        }
      }}
      sx={{
        display: 'flex',
        // On a phone, the field has a line of its own, and the buttons one below it.
        flexWrap: { xs: 'wrap', sm: 'nowrap' },
        alignItems: 'center',
        columnGap: 1,
        rowGap: 0.5,
        width: '100%',
      }}
    >
      <NativeSelect
        variant="standard"
        value={draft.kind}
        onChange={({ target }) => {
          const kind = VALUE_KINDS.find((one) => one === target.value);
          if (kind !== undefined) editor.change(changeKind(draft, kind));
        }}
        inputProps={{ 'aria-label': t('edit.kind') }}
        sx={{ fontSize: 'inherit', flexShrink: 0 }}
      >
        {VALUE_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {t(`kinds.${kind}`)}
          </option>
        ))}
      </NativeSelect>
      {draft.kind === 'boolean' ? (
        <NativeSelect
          variant="standard"
          inputRef={editor.focusField}
          value={draft.text}
          onChange={({ target }) => editor.change({ kind: 'boolean', text: target.value })}
          inputProps={{ 'aria-label': label }}
          sx={{ fontFamily: MONOSPACE, fontSize: 'inherit' }}
        >
          <option value="true">true</option>
          <option value="false">false</option>
        </NativeSelect>
      ) : (
        <InputBase
          inputRef={editor.focusField}
          multiline={isMultiline}
          maxRows={MAX_LINES}
          readOnly={isSaving}
          value={draft.text}
          onChange={({ target }) => editor.change({ ...draft, text: target.value })}
          inputProps={{
            'aria-label': label,
            'aria-invalid': phase.kind === 'problem',
            dir: draft.kind === 'string' ? 'auto' : 'ltr',
            ...(isMultiline ? { title: t('edit.newLine'), enterKeyHint: 'done' } : {}),
          }}
          sx={{
            flex: { xs: '1 1 100%', sm: 1 },
            minWidth: 80,
            fontFamily: MONOSPACE,
            fontSize: 'inherit',
            paddingBlock: 0,
            borderBlockEnd: 2,
            borderColor: phase.kind === 'problem' ? 'error.main' : 'primary.main',
          }}
        />
      )}
      <Typography
        variant="body2"
        component="span"
        role="status"
        color={phase.kind === 'problem' || phase.kind === 'failed' ? 'error' : 'warning'}
        noWrap
      >
        {phase.kind === 'problem' && t(`edit.problem.${phase.problem}`)}
        {phase.kind === 'waiting' && t('edit.waiting')}
        {phase.kind === 'failed' &&
          (phase.error instanceof Error ? phase.error.message : String(phase.error))}
        {phase.kind === 'editing' && otherValue !== null && t('edit.changedMeanwhile', { value: otherValue })}
      </Typography>
      <Button type="submit" size="small" loading={isSaving} sx={BUTTON}>
        {t(editor.isStaged ? 'staged.stage' : 'edit.save')}
      </Button>
      <Button size="small" color="inherit" onClick={close} sx={BUTTON}>
        {t('edit.cancel')}
      </Button>
    </Box>
  );
}

interface DetachedEditorProps {
  readonly path: NodePath;
  /** The editor. */
  readonly children: ReactNode;
}

/** Shows an edit above the rows if its own row was removed or is not loaded, so that the typed text stays visible. */
export function DetachedEditor({ path, children }: DetachedEditorProps) {
  return (
    <Paper
      variant="outlined"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1,
        paddingInline: 1.5,
        paddingBlock: 0.5,
      }}
    >
      <CodeText>{showControls(path)}</CodeText>
      {children}
    </Paper>
  );
}
