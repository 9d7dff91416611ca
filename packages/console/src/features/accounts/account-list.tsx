import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AccountOrder } from '../../api/accounts.ts';
import { useRights } from '../../session/session.ts';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { AccountGrid } from './account-grid.tsx';
import { MAX_LOADED, useAccountPages } from './account-pages.ts';
import { type ChosenFilter, isFiltered } from './filter.ts';
import { useAccountCount } from './use-accounts.ts';

interface ListStatusProps {
  readonly isFetching: boolean;
  /** Describes the content of the list. */
  readonly children: ReactNode;
}

/** Announces the content of the list, the total number of accounts, and whether a request is running. */
export function ListStatus({ isFetching, children }: ListStatusProps) {
  const { t, i18n } = useTranslation('accounts');
  const total = useAccountCount();
  return (
    <Box
      role="status"
      // Screen readers announce the result only, not each intermediate state.
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

interface LoadedListProps {
  readonly order: AccountOrder;
  readonly chosen: ChosenFilter;
}

/** Shows the accounts that match a filter in the given order, and fetches more while the user scrolls. */
export function LoadedList({ order, chosen }: LoadedListProps) {
  const { t, i18n } = useTranslation('accounts');
  const { mayChange } = useRights();
  const list = useAccountPages({ by: order }, chosen);
  const isFilterSet = isFiltered(chosen);
  return (
    <Loaded of={list}>
      {({ accounts, isFetching, more, isCut, examined, searchOn }) => (
        <>
          {accounts.length === 0 ? (
            isFilterSet ? (
              <EmptyState title={t(more === null ? 'filter.none' : 'filter.noneYet')}>
                {t('filter.noneHint')}
              </EmptyState>
            ) : (
              <EmptyState title={t('none.title')}>{t('none.hint')}</EmptyState>
            )
          ) : (
            // The key makes a list with another order start at its first row.
            <AccountGrid
              key={`${order} ${JSON.stringify(chosen)}`}
              accounts={accounts}
              canSelect={mayChange}
              more={more}
            />
          )}
          <ListStatus isFetching={isFetching}>
            {t('status.shown', { count: accounts.length })}
            {isFilterSet && ` · ${t('filter.examined', { number: examined.toLocaleString(i18n.language) })}`}
            {isCut && ` · ${t('status.cut', { number: MAX_LOADED.toLocaleString(i18n.language) })}`}
          </ListStatus>
          {searchOn !== null && (
            <Button variant="outlined" onClick={searchOn} sx={{ alignSelf: 'flex-start' }}>
              {t('filter.more')}
            </Button>
          )}
        </>
      )}
    </Loaded>
  );
}
