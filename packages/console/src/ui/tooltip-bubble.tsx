import Box from '@mui/material/Box';
import Tooltip from '@mui/material/Tooltip';
import { useLayoutEffect } from 'react';
import { KeysText } from './keys.tsx';

const ID = 'hint';

/** Shows the tooltip of an element and sets it as the element's description for screen readers. */
export function HintBubble({ element }: { readonly element: HTMLElement }) {
  const { hint = '', hintKeys, hintSide } = element.dataset;
  useLayoutEffect(() => {
    // Screen readers already announce the name.
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
