import { lazy, type RefObject, Suspense, useCallback } from 'react';
import { isFocusNowhere, useFocusAfter } from '../../../ui/interaction.ts';
import type { NodeActions } from '../edit/node-actions.ts';
import { AddChildDialog, MoveDialog, type MoveRequest, RemoveDialog } from '../edit/node-dialogs.tsx';
import type { NodePath } from '../model/node-path.ts';
import type { NodeRow } from './rows.ts';

/** Loaded when it is first opened. */
const LastWriteDialog = lazy(async () => ({
  default: (await import('../changes/last-write-dialog.tsx')).LastWriteDialog,
}));

/** The open dialog or menu of the tree. */
export type TreeTask =
  | { readonly kind: 'add'; readonly parent: NodePath }
  | { readonly kind: 'move'; readonly request: MoveRequest }
  | { readonly kind: 'last-write'; readonly path: NodePath }
  | { readonly kind: 'remove'; readonly paths: readonly NodePath[] }
  | {
      readonly kind: 'menu';
      readonly row: NodeRow;
      readonly at: { readonly left: number; readonly top: number };
    };

interface TreeDialogsProps {
  readonly database: string;
  readonly task: TreeTask | null;
  readonly actions: NodeActions;
  readonly close: () => void;
  readonly onRemoved: () => void;
}

/** The dialogs that ask for the details of a change, and make the change. */
export function TreeDialogs({ database, task, actions, close, onRemoved }: TreeDialogsProps) {
  return (
    <>
      <AddChildDialog parent={task?.kind === 'add' ? task.parent : null} add={actions.add} close={close} />
      <MoveDialog request={task?.kind === 'move' ? task.request : null} move={actions.move} close={close} />
      {task?.kind === 'last-write' && (
        <Suspense fallback={null}>
          <LastWriteDialog database={database} path={task.path} close={close} />
        </Suspense>
      )}
      {task?.kind === 'remove' && (
        <RemoveDialog
          isStaged={actions.isStaged}
          database={database}
          paths={task.paths}
          remove={async (paths) => {
            await actions.remove(paths);
            onRemoved();
          }}
          close={close}
        />
      )}
    </>
  );
}

/**
 * Moves the focus to the tree, which is in `frame`, after an edit. The returned function makes the `close` function of
 * a dialog do the same.
 */
export function useRestoreFocus(
  frame: RefObject<HTMLElement | null>,
  isEditing: boolean,
): (close: () => void) => () => void {
  const focusTree = useCallback(
    () => frame.current?.querySelector<HTMLElement>('[role="treegrid"]')?.focus(),
    [frame],
  );
  useFocusAfter(!isEditing, focusTree, isFocusFree);
  return (close) => () => {
    close();
    requestAnimationFrame(() => {
      if (isFocusFree()) focusTree();
    });
  };
}

/** Returns whether no element needs the focus. Buttons of rows do not need it, because the tree handles their keys. */
function isFocusFree(): boolean {
  return isFocusNowhere() || document.activeElement?.matches('[role="treegrid"] [data-act]') === true;
}
