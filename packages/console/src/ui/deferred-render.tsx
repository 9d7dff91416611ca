import { useTheme } from '@mui/material/styles';
import { type ReactNode, startTransition, useEffect, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Has the page been drawn? What it shows after that is little, and drawn at once. */
let isDrawn = false;

/** Draw what is not there yet. */
const waiting = new Set<() => void>();

function drawWaiting(): void {
  for (const draw of waiting) draw();
}

/** Draws at once what was to come later, before something acts on it. */
export function drawWhole(): void {
  if (waiting.size > 0) flushSync(drawWaiting);
}

/**
 * What stands around the thing that somebody opened the page for. While the page is loaded it is drawn a step later than all
 * else, so that the thing itself is on the screen sooner. Its place needs its height before it has it, and keys are offered
 * outside of it: they are pressed as soon as there is something to see.
 */
export function Later({ children }: { readonly children: ReactNode }) {
  const { breakpoints } = useTheme();
  // On narrow screens it may take any number of lines.
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
