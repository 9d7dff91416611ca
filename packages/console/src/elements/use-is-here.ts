import { useCallback, useEffect, useRef } from 'react';

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
