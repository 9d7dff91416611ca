import LinearProgress from '@mui/material/LinearProgress';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../elements/empty-state.tsx';
import { Failure } from '../../elements/failure.tsx';
import { Loaded } from '../../elements/loaded.tsx';
import { useRights } from '../../session/session.ts';
import { AccountGrid } from './account-grid.tsx';
import { ListStatus } from './list-status.tsx';
import type { ListView } from './list-view.ts';
import { SearchActions } from './search-actions.tsx';
import { MAX_FOUND } from './use-account-search.ts';
import { useAccountCount } from './use-accounts.ts';
import { useFoundAccounts } from './use-found-accounts.ts';

/** So many accounts are looked through unasked: it takes a part of a second. */
const UNASKED = 20_000;

/** What is found of a text: at once what begins with it, and then what has it anywhere. */
export function FoundList({ view: { text, isAnywhere } }: { readonly view: ListView }) {
  const { t, i18n } = useTranslation('accounts');
  const { mayChange } = useRights();
  const total = useAccountCount();
  const { found, search } = useFoundAccounts(text, isAnywhere || (total !== undefined && total <= UNASKED));
  const { state, looked } = search;
  const isRunning = state.kind === 'running';
  const print = (count: number): string => new Intl.NumberFormat(i18n.language).format(count);
  return (
    <Loaded of={found}>
      {({ accounts, isStale }) => (
        <>
          {isRunning && (
            <LinearProgress
              aria-label={t('search.running')}
              {...(total === undefined || total === 0
                ? {}
                : { variant: 'determinate' as const, value: Math.min(100, (100 * looked) / total) })}
            />
          )}
          {accounts.length > 0 && (
            <AccountGrid key={text} accounts={accounts} canSelect={mayChange} more={null} />
          )}
          {state.kind === 'failed' && <Failure error={state.error} retry={search.restart} />}
          {accounts.length === 0 && !isStale && !isRunning && (
            <EmptyState title={t('none.found')}>
              {t(state.kind === 'done' ? 'none.foundHint' : 'none.beginsHint')}
            </EmptyState>
          )}
          <ListStatus isFetching={isStale || isRunning}>
            {t('status.found', { count: accounts.length })}
            {state.kind !== 'none' && ` · ${t('status.looked', { count: looked, number: print(looked) })}`}
            {state.kind === 'stopped' && ` · ${t('search.stopped')}`}
            {state.kind === 'done' &&
              !state.isComplete &&
              ` · ${t('search.cut', { number: print(MAX_FOUND) })}`}
          </ListStatus>
          <SearchActions search={search} />
        </>
      )}
    </Loaded>
  );
}
