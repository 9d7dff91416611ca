import { type RefObject, useCallback } from 'react';
import { isFocusNowhere, useFocusAfter } from '../../../elements/use-focus-after.ts';

/** Brings the focus back to the tree, which is in `frame`, when something beside or in it is done. */
export function useFocusBack(
  frame: RefObject<HTMLElement | null>,
  isEditing: boolean,
): (close: () => void) => () => void {
  const focusTree = useCallback(
    () => frame.current?.querySelector<HTMLElement>('[role="treegrid"]')?.focus(),
    [frame],
  );
  useFocusAfter(!isEditing, focusTree, isLeft);
  return (close) => () => {
    close();
    requestAnimationFrame(() => {
      if (isLeft()) focusTree();
    });
  };
}

/** The buttons of a line are for the mouse: the tree itself has their keys. */
function isLeft(): boolean {
  return isFocusNowhere() || document.activeElement?.matches('[role="treegrid"] [data-act]') === true;
}
