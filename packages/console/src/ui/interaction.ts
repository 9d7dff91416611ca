import { useCallback, useEffect, useRef, useState } from 'react';

/** Whether no element has the focus, such as after the focused element was removed. */
export function isFocusNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Returns a function that tells whether the user has not moved the focus since. */
export function rememberFocus(): () => boolean {
  const { activeElement } = document;
  // A chosen menu item is removed together with its menu.
  return () => isFocusNowhere() || document.activeElement === activeElement || !activeElement?.isConnected;
}

/**
 * Calls `take`, which sets the focus, when `isDone` becomes true, unless the user has moved the focus in between. `isLeft`
 * returns whether the focus may be set.
 */
export function useFocusAfter(isDone: boolean, take: () => void, isLeft = isFocusNowhere): void {
  const wasDone = useRef(isDone);
  useEffect(() => {
    if (isDone && !wasDone.current && isLeft()) take();
    wasDone.current = isDone;
  }, [isDone, take, isLeft]);
}

/**
 * Returns a function that tells whether the component is still mounted, so that a finished request does not navigate a user
 * who has left the view.
 */
export function useIsHere(): () => boolean {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return useCallback(() => isHere.current, []);
}

/** State of a text field that resets during render when `given` changes, so that later typing is not lost. */
export function useTypedText(given: string): readonly [text: string, setText: (text: string) => void] {
  const [begun, setBegun] = useState(given);
  const [text, setText] = useState(given);
  if (begun !== given) {
    setBegun(given);
    setText(given);
  }
  return [text, setText];
}
