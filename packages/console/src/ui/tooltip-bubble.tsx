import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import { useLayoutEffect } from 'react';
import { KeysText } from './keys.tsx';

const ID = 'hint';

/** The hint of an element, beside it, which is told to screen readers as its description. */
export function HintBubble({ element }: { readonly element: HTMLElement }) {
  const { hint = '', hintKeys, hintSide } = element.dataset;
  useLayoutEffect(() => {
    // What it is called already need not be said twice.
    if (hint === element.ariaLabel || element.hasAttribute('aria-describedby')) return undefined;
    element.setAttribute('aria-describedby', ID);
    return () => element.removeAttribute('aria-describedby');
  }, [element, hint]);
  return (
    <Tooltip
      open
      id={ID}
      placement={hintSide === 'right' ? 'right' : 'bottom'}
      slotProps={{ popper: { anchorEl: element } }}
      title={
        <Box component="span" sx={{ display: 'inline-flex', gap: 1, alignItems: 'center' }}>
          {hint}
          {hintKeys !== undefined && <KeysText keys={hintKeys} />}
        </Box>
      }
    >
      <span hidden />
    </Tooltip>
  );
}
