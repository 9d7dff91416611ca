import { cloneElement, lazy, type ReactElement, Suspense, useLayoutEffect, useState } from 'react';

interface HintProps {
  /** The action of the button, or the complete text. */
  readonly title: string;
  /** The shortcut, in the format of `Keys`. */
  readonly keys?: string;
  readonly side?: 'bottom' | 'right';
  /** Passes its props to an element, and has an accessible name. */
  readonly children: ReactElement<Record<string, unknown>>;
}

/**
 * Adds a tooltip to an element. `Hint` only marks the element. The component `Hints` shows the tooltips of the whole page,
 * because a page has dozens of tooltips and shows one at a time.
 */
export function Hint({ title, keys, side, children }: HintProps) {
  return cloneElement(children, { 'data-hint': title, 'data-hint-keys': keys, 'data-hint-side': side });
}

/** Delay before a tooltip is shown, in milliseconds. */
const DELAY_MS = 500;

/** Returns the element whose tooltip to show: the user points at it or has moved the keyboard focus to it. */
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
      // Pointing at the tooltip itself keeps it open.
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

/** Shows the tooltip of the current element. */
export function Hints() {
  const tooltipTarget = useTooltipTarget();
  return <Suspense>{tooltipTarget !== null && <HintBubble element={tooltipTarget} />}</Suspense>;
}
