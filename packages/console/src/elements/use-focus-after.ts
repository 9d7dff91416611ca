import { useEffect, useRef } from 'react';

/** Has nothing the focus, because what had it is gone and nobody has gone on elsewhere? */
export function isFocusNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Calls `take`, which takes the focus, when what had it while something was done is gone; never from where somebody has gone on. */
export function useFocusAfter(isDone: boolean, take: () => void): void {
  const wasDone = useRef(isDone);
  useEffect(() => {
    if (isDone && !wasDone.current && isFocusNowhere()) take();
    wasDone.current = isDone;
  }, [isDone, take]);
}
