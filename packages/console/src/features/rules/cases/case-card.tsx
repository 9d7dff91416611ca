import DenyIcon from '@mui/icons-material/CancelOutlined';
import AllowIcon from '@mui/icons-material/CheckCircleOutlined';
import ExpandIcon from '@mui/icons-material/ExpandMore';
import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ForeignText } from '../../../elements/foreign-text.tsx';
import { AskedRules } from '../trace/asked-rules.tsx';
import type { CaseResult } from './run-cases.ts';

interface CaseCardProps {
  readonly result: CaseResult;
  readonly source: string;
  readonly go: (offset: number) => void;
}

/** A case, whether it came out as it should, and why. */
export function CaseCard({
  result: { name, offset, line, isExpectedAllowed, outcome },
  source,
  go,
}: CaseCardProps) {
  const { t } = useTranslation('rules');
  const Icon = outcome.isExpected ? AllowIcon : DenyIcon;
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
          <ForeignText text={name} />
        </Typography>
      </AccordionSummary>
      <AccordionDetails sx={{ display: 'flex', flexDirection: 'column', gap: 1 }}>
        {!outcome.isExpected && (
          <Alert severity="error">
            {outcome.kind === 'refused'
              ? outcome.reason
              : t(isExpectedAllowed ? 'cases.wasDenied' : 'cases.wasAllowed')}
          </Alert>
        )}
        {outcome.kind === 'decided' && (
          <AskedRules
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
