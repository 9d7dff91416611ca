import { type RefObject, useCallback, useEffect, useRef } from 'react';

/** Brings the focus back to the tree, which is in `frame`, when something beside or in it is done. */
export function useFocusBack(
  frame: RefObject<HTMLElement | null>,
  isEditing: boolean,
): (close: () => void) => () => void {
  const focusTree = useCallback(() => {
    const { activeElement } = document;
    // The buttons of a line are for the mouse: the tree itself has their keys.
    const isAtLine = activeElement?.matches('[role="treegrid"] [data-act]') === true;
    // Unless somebody has gone on elsewhere.
    if (activeElement === document.body || isAtLine)
      frame.current?.querySelector<HTMLElement>('[role="treegrid"]')?.focus();
  }, [frame]);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) focusTree();
    wasEditing.current = isEditing;
  }, [isEditing, focusTree]);
  return (close) => () => {
    close();
    requestAnimationFrame(focusTree);
  };
}
