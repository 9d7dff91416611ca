import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../ui/text.tsx';
import { EditConflict } from '../edit/conflict-dialog.tsx';
import type { NodeActions } from '../edit/node-actions.ts';
import { DetachedEditor, InlineEditor, useValueEdit } from '../edit/value-editor.tsx';
import { printExact, readLeaf } from '../model/leaf-value.ts';
import { lastKeyOf, type NodePath } from '../model/node-path.ts';
import { useRestoreFocus } from './dialogs.tsx';
import { findIndex, findRow, type NodeRow, type TreeRows } from './rows.ts';

/** The editor of a value in a row of the tree. */
interface RowEditor {
  /** Reads the node and starts an edit. Rejects with an `ApiError`, or with an error if another edit is unsaved. */
  open(path: NodePath): Promise<void>;
  /** The input that the edited row shows; `null` if no value is being edited. */
  readonly inRow: { readonly path: NodePath; readonly view: ReactNode } | null;
  /** The editor of a node whose row is not rendered, and the dialog of a conflict. */
  readonly outside: ReactNode;
  /** Returns a function that calls `close` and then returns the focus to the tree. */
  readonly restoringFocus: (close: () => void) => () => void;
}

/** Returns an editor for one value of the tree at a time. */
export function useRowEditor(
  actions: NodeActions,
  rows: TreeRows,
  frame: RefObject<HTMLElement | null>,
): RowEditor {
  const { t } = useTranslation('data');
  const editor = useValueEdit(actions);
  const { edit } = editor;
  const restoringFocus = useRestoreFocus(frame, edit !== null);
  const close = restoringFocus(editor.close);
  const row = edit === null ? undefined : findRow(rows, findIndex(rows, edit.path));
  const inRow = edit && {
    path: edit.path,
    view: (
      <InlineEditor
        editor={editor}
        edit={edit}
        label={t('edit.valueOf', { key: lastKeyOf(edit.path) })}
        otherValue={findOtherValue(row?.kind === 'node' ? row : undefined, edit.seen.text)}
        close={close}
      />
    ),
  };
  const outside = (
    <>
      {inRow !== null && row?.kind !== 'node' && (
        <DetachedEditor path={inRow.path}>{inRow.view}</DetachedEditor>
      )}
      <EditConflict editor={editor} close={close} />
    </>
  );
  return { open: editor.open, inRow, outside, restoringFocus };
}

/** Returns the current value of an edited node, if it has changed since the edit began; otherwise `null`. */
function findOtherValue(row: NodeRow | undefined, seenText: string): string | null {
  if (row === undefined || row.node.kind === 'object' || row.node.isCut === true) return null;
  const { value } = readLeaf(seenText);
  return value === row.node.value ? null : showControls(printExact(row.node.value, 0));
}
