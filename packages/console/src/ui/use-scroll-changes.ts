import { type RefObject, useLayoutEffect } from 'react';

/**
 * While `isMounted`, calls `onChange` once at the start, and whenever an element scrolls or changes its size. Memoize
 * `onChange`: the hook starts again whenever it is another function.
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
