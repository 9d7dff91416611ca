import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../elements/empty-state.tsx';

/** In the place of what whoever is at the console may not see. */
export function OwnersOnly() {
  const { t } = useTranslation('project');
  return <EmptyState title={t('ownersOnly.title')}>{t('ownersOnly.hint')}</EmptyState>;
}
