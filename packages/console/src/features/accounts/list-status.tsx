import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccountCount } from './use-accounts.ts';

interface ListStatusProps {
  readonly isFetching: boolean;
  /** What the list has. */
  readonly children: ReactNode;
}

/** How much of all the list has, and whether more is on its way. */
export function ListStatus({ isFetching, children }: ListStatusProps) {
  const { t, i18n } = useTranslation('accounts');
  const total = useAccountCount();
  return (
    <Box
      role="status"
      // Whoever listens hears what it comes to, and not each step.
      aria-busy={isFetching}
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5, minHeight: 32 }}
    >
      {isFetching && <CircularProgress size={16} aria-label={t('loading', { ns: 'shell' })} />}
      <Typography variant="body2" color="textSecondary">
        {children}
        {total !== undefined &&
          ` · ${t('status.total', { count: total, number: total.toLocaleString(i18n.language) })}`}
      </Typography>
    </Box>
  );
}
