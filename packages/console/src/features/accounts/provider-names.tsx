import { useTranslation } from 'react-i18next';
import { ForeignText } from '../../elements/foreign-text.tsx';

/** Ways to sign in that have a name in every language; others are called by their ids. */
const NAMED = ['password', 'phone', 'anonymous', 'custom'] as const;

interface ProviderNamesProps {
  /** Such as `password` and `google.com`. */
  readonly ids: readonly string[];
}

/** Ways to sign in, by name. */
export function ProviderNames({ ids }: ProviderNamesProps) {
  const { t } = useTranslation('accounts');
  const names = ids.map((id) => {
    const named = NAMED.find((known) => known === id);
    return named === undefined ? id : t(`provider.${named}`);
  });
  return <ForeignText text={names.join(' · ')} />;
}
