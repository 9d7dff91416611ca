import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { printBytes } from '../../elements/print-bytes.ts';
import { useMeasure } from './use-measure.ts';

interface DatabaseSizeProps {
  readonly database: string;
}

/** How much a database holds, counted while one looks. */
export function DatabaseSize({ database }: DatabaseSizeProps) {
  const { t, i18n } = useTranslation('project');
  const { measure, error, restart } = useMeasure(database);
  if (error !== undefined)
    return (
      <>
        {t('databases.unmeasured')}{' '}
        <Button size="small" onClick={restart}>
          {t('retry', { ns: 'shell' })}
        </Button>
      </>
    );
  if (measure === undefined) return t('databases.measuring');
  const bytes = printBytes(measure.bytes, i18n.language);
  return measure.isComplete ? bytes : t('databases.sizeSoFar', { bytes });
}
