import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

interface SectionHeadProps {
  /** What the section is about. */
  readonly text: string;
  readonly action?: ReactNode;
}

/** What a section is about, and the one thing that is mostly done there. */
export function SectionHead({ text, action }: SectionHeadProps) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
      <Typography color="textSecondary" sx={{ flex: '1 1 20rem' }}>
        {text}
      </Typography>
      {action}
    </Box>
  );
}
