import { useTranslation } from 'react-i18next';
import { ROW_SHAPES } from '../tree/row-shapes.ts';

/** In the place of a value that rules do not let whoever is acted for read. */
export function RefusedValue() {
  const { t } = useTranslation('data');
  return (
    <span className="aside">
      <svg viewBox="0 0 24 24" width="14" height="14" fill="currentColor" aria-hidden="true">
        <path d={ROW_SHAPES.lock} />
      </svg>{' '}
      {t('actAs.locked')}
    </span>
  );
}
