import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../elements/empty-state.tsx';

interface NotNeededProps {
  readonly what: 'keys' | 'service';
}

/** Why there is nothing in a section in development mode. */
export function NotNeeded({ what }: NotNeededProps) {
  const { t } = useTranslation('project');
  return <EmptyState title={t(`${what}.developmentTitle`)}>{t(`${what}.development`)}</EmptyState>;
}
