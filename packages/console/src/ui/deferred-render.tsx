import { useTheme } from '@mui/material/styles';
import { type ReactNode, startTransition, useEffect, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Whether the first render is complete; later content renders immediately. */
let isDrawn = false;

/** Callbacks that render deferred content. */
const waiting = new Set<() => void>();

function drawWaiting(): void {
  for (const draw of waiting) draw();
}

/** Renders all deferred content synchronously, before code acts on it. */
export function renderDeferred(): void {
  if (waiting.size > 0) flushSync(drawWaiting);
}

/**
 * Defers secondary content to a second render during page load, so that the main content appears sooner. The parent must
 * reserve the height, and shortcuts must be registered outside, because the user may press them before the second render.
 */
export function DeferredRender({ children }: { readonly children: ReactNode }) {
  const { breakpoints } = useTheme();
  // On narrow screens, nothing is deferred, because the height is not known in advance.
  const [isTime, setTime] = useState(() => isDrawn || innerWidth < breakpoints.values.lg);
  useLayoutEffect(() => {
    if (isTime) return undefined;
    const draw = (): void => setTime(true);
    waiting.add(draw);
    return () => {
      waiting.delete(draw);
    };
  }, [isTime]);
  useEffect(() => {
    if (isTime) isDrawn = true;
    else startTransition(drawWaiting);
  }, [isTime]);
  return isTime ? children : null;
}
