import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../elements/failure.tsx';
import { ForeignText } from '../../elements/foreign-text.tsx';
import type { ImportTally } from './use-import.ts';

interface ImportReportProps {
  readonly tally: ImportTally;
  /** Why it went no further. */
  readonly error?: unknown;
}

/** How many accounts are there now, and which were left out. */
export function ImportReport({ tally, error }: ImportReportProps) {
  const { t } = useTranslation('accounts');
  const { imported, leftOut, reports } = tally;
  return (
    <>
      <Typography role="status">{t('import.imported', { count: imported })}</Typography>
      {leftOut > 0 && (
        <Alert severity="warning">
          {t('import.leftOut', { count: leftOut })}
          <Box
            component="ul"
            tabIndex={0}
            aria-label={t('import.leftOut', { count: leftOut })}
            sx={{ maxHeight: 220, overflow: 'auto', margin: 0, paddingInlineStart: 2.5 }}
          >
            {reports.map(({ uid, reason }, index) => (
              // The same account may be left out twice.
              // biome-ignore lint/suspicious/noArrayIndexKey: reports are only added at the end.
              <li key={index}>
                <ForeignText text={uid} isCode /> — <ForeignText text={reason} />
              </li>
            ))}
          </Box>
        </Alert>
      )}
      {error !== undefined && <Failure error={error} />}
    </>
  );
}
