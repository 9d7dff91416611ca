import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { ListView } from './list-view.ts';
import type { AccountList } from './use-account-list.ts';
import { useAccountCount } from './use-accounts.ts';

interface ListStatusProps {
  readonly view: ListView;
  readonly list: Extract<AccountList, { readonly kind: 'ready' }>;
}

/** How much of all the list has, and how far a search has come. */
export function ListStatus({ view, list }: ListStatusProps) {
  const { t, i18n } = useTranslation('accounts');
  const total = useAccountCount();
  const print = (count: number): string => new Intl.NumberFormat(i18n.language).format(count);
  const isSearch = view.text !== '';
  const shown = list.accounts.length;
  return (
    <Box
      role="status"
      sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5, minHeight: 32 }}
    >
      {list.isFetching && <CircularProgress size={16} aria-label={t('loading', { ns: 'shell' })} />}
      <Typography variant="body2" color="textSecondary">
        {isSearch ? t('status.found', { count: shown }) : t('status.shown', { count: shown })}
        {total !== undefined && ` · ${t('status.total', { count: total, number: print(total) })}`}
        {isSearch && ` · ${t('status.looked', { count: list.looked, number: print(list.looked) })}`}
      </Typography>
      {isSearch && !list.isFetching && list.more !== null && (
        <Button size="small" onClick={list.more}>
          {t('status.goOn')}
        </Button>
      )}
    </Box>
  );
}
