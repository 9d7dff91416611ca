import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { MONOSPACE } from '../theme.ts';

interface CodeTextProps {
  readonly children: ReactNode;
}

/** A key, path, id or other text that is copied letter by letter, kept apart from the direction of the text around it. */
export function CodeText({ children }: CodeTextProps) {
  return (
    <Box
      component="bdi"
      dir="ltr"
      sx={{ fontFamily: MONOSPACE, fontSize: '0.925em', overflowWrap: 'anywhere' }}
    >
      {children}
    </Box>
  );
}
