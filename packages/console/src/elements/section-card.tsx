import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type ReactNode, useId } from 'react';

interface SectionCardProps {
  readonly title: string;
  /** What it is about, in a sentence. */
  readonly about?: ReactNode;
  /** What can be done with all of it. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** A part of a page with a heading of its own. */
export function SectionCard({ title, about, actions, children }: SectionCardProps) {
  const id = useId();
  return (
    <Paper
      component="section"
      variant="outlined"
      aria-labelledby={id}
      sx={{ padding: 2, display: 'flex', flexDirection: 'column', gap: 2, minWidth: 0 }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Box sx={{ flex: '1 1 14rem' }}>
          <Typography id={id} variant="h2">
            {title}
          </Typography>
          {about !== undefined && (
            <Typography component="div" variant="body2" color="textSecondary">
              {about}
            </Typography>
          )}
        </Box>
        {actions}
      </Box>
      {children}
    </Paper>
  );
}
