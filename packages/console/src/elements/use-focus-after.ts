import { useEffect, useRef } from 'react';

/** Has nothing the focus, because what had it is gone and nobody has gone on elsewhere? */
export function isFocusNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Remembers where the focus is; what it returns tells later whether nobody has gone on elsewhere since. */
export function rememberFocus(): () => boolean {
  const { activeElement } = document;
  // What was chosen in a menu leaves the screen with it.
  return () => isFocusNowhere() || document.activeElement === activeElement || !activeElement?.isConnected;
}

/**
 * Calls `take`, which takes the focus, when what had it while something was done is gone; never from where somebody has gone on.
 * `isLeft` tells whether nobody has.
 */
export function useFocusAfter(isDone: boolean, take: () => void, isLeft = isFocusNowhere): void {
  const wasDone = useRef(isDone);
  useEffect(() => {
    if (isDone && !wasDone.current && isLeft()) take();
    wasDone.current = isDone;
  }, [isDone, take, isLeft]);
}
