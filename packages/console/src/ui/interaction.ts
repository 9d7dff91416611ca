import { useCallback, useEffect, useRef, useState } from 'react';

/** Returns whether no element has the focus, such as after the focused element was removed. */
export function isFocusNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Returns a function that returns false after the user has moved the focus, unless the focused element was removed. */
export function rememberFocus(): () => boolean {
  const { activeElement } = document;
  // A chosen menu item is removed together with its menu.
  return () => isFocusNowhere() || document.activeElement === activeElement || !activeElement?.isConnected;
}

/**
 * When `isDone` becomes true, calls `take`, which sets the focus, if `mayTake` returns true. By default, `mayTake` returns
 * whether no element has the focus.
 */
export function useFocusAfter(isDone: boolean, take: () => void, mayTake = isFocusNowhere): void {
  const wasDone = useRef(isDone);
  useEffect(() => {
    if (isDone && !wasDone.current && mayTake()) take();
    wasDone.current = isDone;
  }, [isDone, take, mayTake]);
}

/**
 * Returns a function that returns whether the component is mounted, so that a finished request does not navigate a user who
 * has left the view.
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

/**
 * Returns the state of a text field, which resets when `given` changes. The reset happens during the render, not in an effect,
 * so that it does not discard text that is typed afterwards.
 */
export function useTypedText(given: string): readonly [text: string, setText: (text: string) => void] {
  const [previous, setPrevious] = useState(given);
  const [text, setText] = useState(given);
  if (previous !== given) {
    setPrevious(given);
    setText(given);
  }
  return [text, setText];
}
