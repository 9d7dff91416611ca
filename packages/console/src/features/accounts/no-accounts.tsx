import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../elements/empty-state.tsx';

/** In the place of a list of accounts with nothing in it. */
export function NoAccounts({ isSearch }: { readonly isSearch: boolean }) {
  const { t } = useTranslation('accounts');
  return isSearch ? (
    <EmptyState title={t('none.found')}>{t('none.foundHint')}</EmptyState>
  ) : (
    <EmptyState title={t('none.title')}>{t('none.hint')}</EmptyState>
  );
}
