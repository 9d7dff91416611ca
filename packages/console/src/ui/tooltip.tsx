import { cloneElement, lazy, type ReactElement, Suspense, useLayoutEffect, useState } from 'react';

interface HintProps {
  /** What a button does, or a text in full. */
  readonly title: string;
  /** Those that do the same, as in `Keys`. */
  readonly keys?: string;
  readonly side?: 'bottom' | 'right';
  /** Hands on what it is given to its element, and has a name of its own where its content is none. */
  readonly children: ReactElement<Record<string, unknown>>;
}

/**
 * Says more of an element to whoever points at it, or comes to it with the keyboard. This only marks the element: one
 * component (`Hints`) shows the hints of the whole page, because a page has dozens and shows one.
 */
export function Hint({ title, keys, side, children }: HintProps) {
  return cloneElement(children, { 'data-hint': title, 'data-hint-keys': keys, 'data-hint-side': side });
}

/** How long somebody stays with an element before its hint is shown, in milliseconds. */
const DELAY_MS = 500;

/** The element whose hint is to be shown, while somebody points at it or has come to it with the keyboard. */
function useTooltipTarget(): HTMLElement | null {
  const [tooltipTarget, setTooltipTarget] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => {
    let near: HTMLElement | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    function approach(element: HTMLElement | null): void {
      if (element === near) return;
      leave();
      near = element;
      if (element !== null) timer = setTimeout(() => setTooltipTarget(element), DELAY_MS);
    }
    function leave(): void {
      clearTimeout(timer);
      near = null;
      setTooltipTarget(null);
    }
    function onPointerOver({ target }: PointerEvent): void {
      // A hint may be pointed at itself, to be read in peace.
      if (!(target instanceof Element && target.closest('[role="tooltip"]')))
        approach(findTooltipTarget(target));
    }
    function onFocusIn({ target }: FocusEvent): void {
      if (target instanceof Element && target.matches(':focus-visible')) approach(findTooltipTarget(target));
    }
    function onKeyDown({ key }: KeyboardEvent): void {
      if (key === 'Escape') leave();
    }
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener('pointerover', onPointerOver, { signal });
    document.addEventListener('focusin', onFocusIn, { signal });
    document.addEventListener('keydown', onKeyDown, { signal });
    document.documentElement.addEventListener('pointerleave', leave, { signal });
    for (const type of ['focusout', 'click', 'pointercancel'])
      document.addEventListener(type, leave, { signal });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, []);
  return tooltipTarget;
}

function findTooltipTarget(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-hint]') : null;
}

const HintBubble = lazy(async () => ({ default: (await import('./tooltip-bubble.tsx')).HintBubble }));

/** Shows the hint of whatever element somebody is with. */
export function Hints() {
  const tooltipTarget = useTooltipTarget();
  return <Suspense>{tooltipTarget !== null && <HintBubble element={tooltipTarget} />}</Suspense>;
}
