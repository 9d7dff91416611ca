import DenyIcon from '@mui/icons-material/CancelOutlined';
import AllowIcon from '@mui/icons-material/CheckCircleOutlined';
import ExpandIcon from '@mui/icons-material/ExpandMore';
import Accordion from '@mui/material/Accordion';
import AccordionDetails from '@mui/material/AccordionDetails';
import AccordionSummary from '@mui/material/AccordionSummary';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EvaluatedRule } from '../../../api/rules.ts';
import { UntrustedText } from '../../../ui/text.tsx';
import { printRuleName } from '../names.ts';
import { TraceView } from './trace-view.tsx';

interface ShownRule extends EvaluatedRule {
  /** The text to which the spans in `step` refer. */
  readonly source: string;
}

interface EvaluatedRulesProps {
  readonly rules: readonly ShownRule[];
  /** Index of the deciding rule. */
  readonly deciding: number | null;
  readonly isAllowed: boolean;
  /** Heading element of each rule, one level below the enclosing heading. */
  readonly heading: 'h2' | 'h3' | 'h4';
}

/** Number of rules shown at first. A write of many values evaluates many rules. */
const MAX_SHOWN = 20;

/** Shows the evaluated rules with the values of their parts. The deciding rule is expanded. */
export function EvaluatedRules({ rules, deciding, isAllowed, heading }: EvaluatedRulesProps) {
  const { t } = useTranslation('rules');
  const id = useId();
  const [isWhole, setIsWhole] = useState(false);
  const [isOpen, setIsOpen] = useState<Readonly<Record<number, boolean>>>({});
  if (rules.length === 0) return <Typography color="textSecondary">{t('trace.none')}</Typography>;
  const shown = rules
    .map((rule, index) => ({ rule, index }))
    .filter(({ index }) => isWhole || index < MAX_SHOWN || index === deciding);
  return (
    <Box>
      {shown.map(({ rule, index }) => {
        const name = printRuleName(rule);
        const isDeciding = index === deciding;
        const Icon = rule.holds ? AllowIcon : DenyIcon;
        return (
          <Accordion
            key={index}
            disableGutters
            variant="outlined"
            expanded={isOpen[index] ?? isDeciding}
            onChange={(_event, expanded) => setIsOpen({ ...isOpen, [index]: expanded })}
            slotProps={{ transition: { unmountOnExit: true }, heading: { component: heading } }}
          >
            <AccordionSummary id={`${id}-${index}`} expandIcon={<ExpandIcon />}>
              <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, minWidth: 0 }}>
                <Icon
                  fontSize="small"
                  color={rule.holds ? 'success' : 'error'}
                  titleAccess={t(rule.holds ? 'trace.holds' : 'trace.holdsNot')}
                />
                <UntrustedText isCode text={name} />
                {rule.place !== rule.location && (
                  <Typography component="span" variant="body2" color="textSecondary">
                    {t('trace.askedFor')} <UntrustedText isCode text={rule.place} />
                  </Typography>
                )}
                {isDeciding && (
                  <Chip
                    size="small"
                    color={isAllowed ? 'success' : 'error'}
                    variant="outlined"
                    label={t(isAllowed ? 'trace.granted' : 'trace.decided')}
                  />
                )}
              </Box>
            </AccordionSummary>
            <AccordionDetails>
              <TraceView label={name} step={rule.step} source={rule.source} />
            </AccordionDetails>
          </Accordion>
        );
      })}
      {shown.length < rules.length && (
        <Button onClick={() => setIsWhole(true)}>{t('trace.all', { count: rules.length })}</Button>
      )}
    </Box>
  );
}
