import ErrorIcon from '@mui/icons-material/ErrorOutlined';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../elements/show-controls.ts';
import type { CheckedDraft } from './check-draft.ts';

interface ProblemListProps {
  readonly checked: CheckedDraft;
  /** Shows the place of a problem. */
  readonly go: (offset: number) => void;
}

/** What keeps a draft from being published; each problem leads to its place. */
export function ProblemList({ checked: { problems, problemCount }, go }: ProblemListProps) {
  const { t } = useTranslation('rules');
  if (problemCount === 0) return null;
  return (
    <Box
      component="section"
      aria-label={t('problems.title')}
      sx={{
        borderBlockStart: 1,
        borderColor: 'divider',
        maxHeight: '32%',
        minHeight: 72,
        overflowY: 'auto',
        flexShrink: 0,
      }}
    >
      <Typography
        role="status"
        variant="body2"
        color="error"
        sx={{ fontWeight: 600, padding: 1, display: 'flex', gap: 1 }}
      >
        <ErrorIcon fontSize="small" />
        {t('problems.count', { count: problemCount })}
      </Typography>
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {problems.map(({ offset, line, column, message }) => (
          <li key={`${offset} ${message}`}>
            <ButtonBase
              onClick={() => go(offset)}
              sx={{
                width: '100%',
                justifyContent: 'flex-start',
                textAlign: 'start',
                gap: 1.5,
                paddingInline: 1,
                paddingBlock: 0.5,
                '&:hover': { backgroundColor: 'action.hover' },
              }}
            >
              <Typography
                component="bdi"
                dir="ltr"
                variant="body2"
                color="textSecondary"
                sx={{ fontVariantNumeric: 'tabular-nums', minWidth: 56 }}
              >
                {line}:{column}
              </Typography>
              <Typography component="bdi" dir="ltr" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
                {showControls(message)}
              </Typography>
            </ButtonBase>
          </li>
        ))}
      </Box>
      {problemCount > problems.length && (
        <Typography variant="body2" color="textSecondary" sx={{ padding: 1 }}>
          {t('problems.more', { count: problemCount - problems.length })}
        </Typography>
      )}
    </Box>
  );
}
