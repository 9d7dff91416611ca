import Box from '@mui/material/Box';
import { MONOSPACE } from '../theme.ts';
import { showControls } from './show-controls.ts';

interface ForeignTextProps {
  readonly text: string;
  /** Is it copied letter by letter? */
  readonly isCode?: boolean;
}

/** A text that somebody else wrote: in its own direction, and with a sign for each character that is not seen. */
export function ForeignText({ text, isCode = false }: ForeignTextProps) {
  return (
    <Box
      component="bdi"
      {...(isCode ? { dir: 'ltr' } : {})}
      sx={{ overflowWrap: 'anywhere', ...(isCode ? { fontFamily: MONOSPACE, fontSize: '0.925em' } : {}) }}
    >
      {showControls(text)}
    </Box>
  );
}
