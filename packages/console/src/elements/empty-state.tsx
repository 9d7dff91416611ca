import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  /** What is not there. */
  readonly title: string;
  /** What would make it be there. */
  readonly children?: ReactNode;
  /** A button that does so. */
  readonly action?: ReactNode;
}

/** In the place of a list that has nothing in it. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <Box
      sx={{
        padding: 4,
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        gap: 1.5,
        textAlign: 'center',
      }}
    >
      <Typography variant="h2">{title}</Typography>
      {children !== undefined && (
        <Typography component="div" color="textSecondary" sx={{ maxWidth: 560 }}>
          {children}
        </Typography>
      )}
      {action}
    </Box>
  );
}
