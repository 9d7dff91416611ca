import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { CodeText } from '../../../elements/code-text.tsx';
import { ForeignText } from '../../../elements/foreign-text.tsx';
import type { FlippedVerdicts } from '../../../server/rules.ts';
import { printRuleName } from '../print-rule-name.ts';

interface FlipGroupsProps {
  readonly title: string;
  readonly groups: readonly FlippedVerdicts[];
}

/** Longest example, in characters of JSON. */
const MAX_EXAMPLE = 200;

/** Operations whose verdict changes, by the rule that is the reason, with examples. */
export function FlipGroups({ title, groups }: FlipGroupsProps) {
  const { t } = useTranslation('rules');
  return (
    <Box component="section" aria-label={title} sx={{ marginBlockStart: 1 }}>
      <Typography variant="body2" sx={{ fontWeight: 600 }}>
        {title}
      </Typography>
      {groups.map(({ rule, count, examples }) => (
        <Box key={`${rule?.kind} ${rule?.location}`} component="details" sx={{ marginBlockStart: 0.5 }}>
          <Box component="summary" sx={{ cursor: 'pointer' }}>
            {t('replay.times', { count })}{' '}
            {rule === null ? t('replay.noRule') : <CodeText>{printRuleName(rule)}</CodeText>}
          </Box>
          {rule !== null && <ForeignText isCode text={rule.text} />}
          <Box component="ul" sx={{ marginBlock: 0.5 }}>
            {examples.map((example) => {
              const text = JSON.stringify(example);
              return (
                <li key={text}>
                  <ForeignText
                    isCode
                    text={text.length > MAX_EXAMPLE ? `${text.slice(0, MAX_EXAMPLE)}…` : text}
                  />
                </li>
              );
            })}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
