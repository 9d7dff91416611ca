import { useTheme } from '@mui/material/styles';
import { type ReactNode, useDeferredValue, useEffect } from 'react';

/** Is the page there already? What it shows after that is little, and drawn at once. */
let isDrawn = false;

/**
 * What stands around the thing that somebody opened the page for. While the page is loaded it is drawn a step later than all
 * else, so that the thing itself is on the screen sooner. Its place needs its height before it has it, and keys are offered
 * outside of it: they are pressed as soon as there is something to see.
 */
export function Later({ children }: { readonly children: ReactNode }) {
  const { breakpoints } = useTheme();
  // On narrow screens it may take any number of lines.
  const isNarrow = innerWidth < breakpoints.values.lg;
  const isTime = useDeferredValue(true, isDrawn || isNarrow);
  useEffect(() => {
    if (isTime) isDrawn = true;
  }, [isTime]);
  return isTime ? children : null;
}
