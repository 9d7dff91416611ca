import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../elements/empty-state.tsx';
import { Loaded } from '../../elements/loaded.tsx';
import type { AccountOrder } from '../../server/accounts.ts';
import { useRights } from '../../session/session.ts';
import { AccountGrid } from './account-grid.tsx';
import { ListStatus } from './list-status.tsx';
import { MAX_LOADED, useAccountList } from './use-account-list.ts';

/** Accounts in an order, fetched as the list is scrolled. */
export function LoadedList({ order }: { readonly order: AccountOrder }) {
  const { t, i18n } = useTranslation('accounts');
  const { mayChange } = useRights();
  const list = useAccountList(order);
  return (
    <Loaded of={list}>
      {({ accounts, isFetching, more, isCut }) => (
        <>
          {accounts.length === 0 ? (
            <EmptyState title={t('none.title')}>{t('none.hint')}</EmptyState>
          ) : (
            // Another order begins at its first row.
            <AccountGrid key={order} accounts={accounts} canSelect={mayChange} more={more} />
          )}
          <ListStatus isFetching={isFetching}>
            {t('status.shown', { count: accounts.length })}
            {isCut && ` · ${t('status.cut', { number: MAX_LOADED.toLocaleString(i18n.language) })}`}
          </ListStatus>
        </>
      )}
    </Loaded>
  );
}
