import { useCallback, useEffect, useRef, useState } from 'react';

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

/**
 * Tells whether a part of the page is still there when something that it waited for is done: whoever has left it meanwhile is
 * not to be taken away from where they are.
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

/** A text that is typed, and begins anew whenever what is given is another: at once, so that nothing typed meanwhile is lost. */
export function useTypedText(given: string): readonly [text: string, setText: (text: string) => void] {
  const [begun, setBegun] = useState(given);
  const [text, setText] = useState(given);
  if (begun !== given) {
    setBegun(given);
    setText(given);
  }
  return [text, setText];
}
