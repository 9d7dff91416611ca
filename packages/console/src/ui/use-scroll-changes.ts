import { type RefObject, useLayoutEffect } from 'react';

/**
 * While `isMounted`, calls `onChange` when an element scrolls or changes its size, and once at the start. Memoize `onChange`: a
 * new function is called again at the start.
 */
export function useScrollChanges(
  scroller: RefObject<HTMLElement | null>,
  isMounted: boolean,
  onChange: (element: HTMLElement) => void,
): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || !isMounted) return;
    const update = (): void => onChange(element);
    const sizes = new ResizeObserver(update);
    sizes.observe(element);
    element.addEventListener('scroll', update, { passive: true });
    update();
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', update);
    };
  }, [scroller, isMounted, onChange]);
}
