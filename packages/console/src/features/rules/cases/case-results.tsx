import FailIcon from '@mui/icons-material/CancelOutlined';
import PassIcon from '@mui/icons-material/CheckCircleOutlined';
import ExpandIcon from '@mui/icons-material/ExpandMore';
import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/states.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { EvaluatedRules } from '../trace/evaluated-rules.tsx';
import type { CaseResult, CaseRun } from './run-cases.ts';

interface CaseCardProps {
  readonly result: CaseResult;
  readonly source: string;
  readonly go: (offset: number) => void;
}

/** Shows a test case, whether it passes, and the rules that it evaluates. */
function CaseCard({ result: { name, offset, line, isExpectedAllowed, outcome }, source, go }: CaseCardProps) {
  const { t } = useTranslation('rules');
  const Icon = outcome.isExpected ? PassIcon : FailIcon;
  return (
    <Accordion
      disableGutters
      variant="outlined"
      slotProps={{ transition: { unmountOnExit: true }, heading: { component: 'h3' } }}
    >
      <AccordionSummary id={useId()} expandIcon={<ExpandIcon />}>
        <Icon
          fontSize="small"
          color={outcome.isExpected ? 'success' : 'error'}
          titleAccess={t(outcome.isExpected ? 'cases.passes' : 'cases.fails')}
          sx={{ marginInlineEnd: 1 }}
        />
        <Typography component="span" sx={{ minWidth: 0 }}>
          <UntrustedText text={name} />
        </Typography>
      </AccordionSummary>
      <AccordionDetails sx={{ display: 'flex', flexDirection: 'column', gap: 1 }}>
        {!outcome.isExpected && (
          <Alert severity="error">
            {outcome.kind === 'rejected'
              ? outcome.reason
              : t(isExpectedAllowed ? 'cases.wasDenied' : 'cases.wasAllowed')}
          </Alert>
        )}
        {outcome.kind === 'decided' && (
          <EvaluatedRules
            heading="h4"
            rules={outcome.explanation.rules.map((rule) => ({ ...rule, source }))}
            deciding={decidingIndex(outcome.explanation)}
            isAllowed={outcome.explanation.isAllowed}
          />
        )}
        <div>
          <Button size="small" onClick={() => go(offset)}>
            {t('cases.show', { line })}
          </Button>
        </div>
      </AccordionDetails>
    </Accordion>
  );
}

function decidingIndex({
  rules,
  deciding,
}: {
  readonly rules: readonly unknown[];
  readonly deciding: unknown;
}): number | null {
  const index = rules.indexOf(deciding);
  return index === -1 ? null : index;
}

interface CaseResultsProps {
  readonly run: Extract<CaseRun, { kind: 'ran' }>;
  readonly source: string;
  /** Moves the cursor to a case in its file. */
  readonly go: (offset: number) => void;
}

/** Shows which cases pass, and how much of the rules they cover. */
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
