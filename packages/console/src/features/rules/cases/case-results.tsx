import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../elements/empty-state.tsx';
import { CaseCard } from './case-card.tsx';
import type { CaseRun } from './run-cases.ts';

interface CaseResultsProps {
  readonly run: Extract<CaseRun, { kind: 'ran' }>;
  readonly source: string;
  /** Shows a case in its file. */
  readonly go: (offset: number) => void;
}

/** Which cases came out as they should, and what of the rules none of them tries. */
export function CaseResults({ run: { results, summary }, source, go }: CaseResultsProps) {
  const { t } = useTranslation('rules');
  if (results.length === 0) return <EmptyState title={t('cases.none')}>{t('cases.noneHint')}</EmptyState>;
  const failed = results.filter(({ outcome }) => !outcome.isExpected).length;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 1 }}>
      <div role="status">
        <Typography variant="h2" color={failed === 0 ? 'success' : 'error'}>
          {failed === 0
            ? t('cases.allPass', { count: results.length })
            : t('cases.failed', { count: failed, total: results.length })}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {t('cases.covered', { count: summary.expressions, covered: summary.covered })}
        </Typography>
      </div>
      {results.map((result) => (
        <CaseCard key={result.offset} result={result} source={source} go={go} />
      ))}
    </Box>
  );
}
