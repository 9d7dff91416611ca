import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import InputBase from '@mui/material/InputBase';
import NativeSelect from '@mui/material/NativeSelect';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isUnanswered, useConnectivity } from '../../../api/client.ts';
import type { NodeText } from '../../../api/data-nodes.ts';
import { isFocusNowhere, rememberFocus } from '../../../ui/interaction.ts';
import { CodeText, showControls } from '../../../ui/text.tsx';
import { MONOSPACE } from '../../../ui/theme.ts';
import {
  changeKind,
  draftOf,
  parseDraft,
  printLeaf,
  readLeaf,
  VALUE_KINDS,
  type ValueDraft,
} from '../model/leaf-value.ts';
import { lastKeyOf, type NodePath } from '../model/node-path.ts';
import type { NodeActions } from './node-actions.ts';

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
export function useValueEdit({ isStaged, read, write: writeNode, showSaved }: NodeActions): ValueEditor {
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
      const assertFinished = (): void => {
        const unfinished = latest.current;
        if (unfinished !== null && (isChanged(unfinished) || unfinished.phase.kind === 'saving'))
          throw new Error(t('edit.unfinished', { key: showControls(lastKeyOf(unfinished.path)) }));
      };
      assertFinished();
      openings.current += 1;
      const opening = openings.current;
      const isStillHere = rememberFocus();
      const seen = await read(path);
      assertFinished();
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
        showSaved(editing.path, seen, outcome.kind === 'written' ? outcome.hash : outcome.current.hash);
      } catch (error) {
        goOn({ ...saving, phase: isUnanswered(error) ? { kind: 'waiting' } : { kind: 'failed', error } });
      }
    },
    [writeNode, showSaved],
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

interface InlineEditorProps {
  readonly editor: ValueEditor;
  readonly edit: ValueEdit;
  readonly label: string;
  /** The value as it is by now, if that is not what was seen. */
  readonly otherValue: string | null;
  readonly close: () => void;
}

/** A value in a line, while it is edited. */
export function InlineEditor({ editor, edit, label, otherValue, close }: InlineEditorProps) {
  const { t } = useTranslation('data');
  const { draft, phase } = edit;
  const isSaving = phase.kind === 'saving';
  return (
    <Box
      component="form"
      data-editor
      onSubmit={(event) => {
        event.preventDefault();
        editor.save();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
      sx={{ display: 'flex', alignItems: 'center', gap: 1, width: '100%' }}
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
          readOnly={isSaving}
          value={draft.text}
          onChange={({ target }) => editor.change({ ...draft, text: target.value })}
          inputProps={{
            'aria-label': label,
            'aria-invalid': phase.kind === 'problem',
            dir: draft.kind === 'string' ? 'auto' : 'ltr',
          }}
          sx={{
            flex: 1,
            minWidth: 80,
            fontFamily: MONOSPACE,
            fontSize: 'inherit',
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
      <Button type="submit" size="small" loading={isSaving} sx={{ paddingBlock: 0, minWidth: 0 }}>
        {t(editor.isStaged ? 'staged.stage' : 'edit.save')}
      </Button>
      <Button size="small" color="inherit" onClick={close} sx={{ paddingBlock: 0, minWidth: 0 }}>
        {t('edit.cancel')}
      </Button>
    </Box>
  );
}

interface AwayEditorProps {
  readonly path: NodePath;
  /** The editor. */
  readonly children: ReactNode;
}

/** An edit whose line is gone, because somebody removed it or it is far away: what was typed stays on the screen. */
export function AwayEditor({ path, children }: AwayEditorProps) {
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
