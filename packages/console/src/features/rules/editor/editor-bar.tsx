import type { RulesVersion } from '@hearth/core/api/rules-version.ts';
import DiscardIcon from '@mui/icons-material/DeleteOutlined';
import CoverageIcon from '@mui/icons-material/FactCheckOutlined';
import FormatIcon from '@mui/icons-material/FormatAlignLeft';
import PublishIcon from '@mui/icons-material/PublishOutlined';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import ToggleButton from '@mui/material/ToggleButton';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { CurrentRules } from '../../../api/rules.ts';
import { TimeText } from '../../../ui/time-text.tsx';
import { Hint } from '../../../ui/tooltip.tsx';
import type { Draft } from '../code/revisions.ts';
import { usePrintAuthor } from '../names.ts';

interface EditorBarProps {
  readonly current: CurrentRules;
  readonly draft: Draft | null;
  readonly isNotStored: boolean;
  readonly isCoverageShown: boolean;
  readonly mayChange: boolean;
  readonly mayPublish: boolean;
  readonly format: () => void;
  readonly discard: () => void;
  readonly publish: () => void;
  readonly toggleCoverage: () => void;
}

/** The toolbar of the editor: the current version or draft, and the actions on the whole text. */
export function EditorBar(props: EditorBarProps) {
  const { t } = useTranslation('rules');
  const { current, draft } = props;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
      <Box sx={{ flex: '1 1 16rem', display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        {draft === null ? (
          <Chip size="small" color="success" variant="outlined" label={t('edit.current')} />
        ) : (
          <Chip size="small" color="primary" variant="outlined" label={t('edit.draft')} />
        )}
        <Typography variant="body2" color="textSecondary" component="div">
          {current.id === 0
            ? t('edit.initial')
            : t(draft === null ? 'versions.name' : 'edit.version', { id: current.id })}
          {current.version !== null && current.version.timeMs !== null && (
            <>
              {' · '}
              <TimeText ms={current.version.timeMs} />
            </>
          )}
          {draft !== null && ` · ${t(props.isNotStored ? 'edit.unkept' : 'edit.kept')}`}
        </Typography>
      </Box>
      <Hint title={t('edit.coverageHint')}>
        <ToggleButton
          size="small"
          value="coverage"
          selected={props.isCoverageShown}
          onChange={props.toggleCoverage}
          sx={{ gap: 1, textTransform: 'none', color: 'text.secondary' }}
        >
          <CoverageIcon fontSize="small" />
          {t('edit.coverage')}
        </ToggleButton>
      </Hint>
      <Hint title={t('edit.formatHint')} keys="alt+shift+f">
        <Button startIcon={<FormatIcon />} onClick={props.format}>
          {t('edit.format')}
        </Button>
      </Hint>
      {draft !== null && (
        <Button startIcon={<DiscardIcon />} onClick={props.discard}>
          {t('edit.discard')}
        </Button>
      )}
      {props.mayChange ? (
        <Hint title={t('edit.publishHint')} keys="mod+s">
          <span>
            <Button
              variant="contained"
              startIcon={<PublishIcon />}
              disabled={!props.mayPublish}
              onClick={props.publish}
            >
              {t('edit.publish')}
            </Button>
          </span>
        </Hint>
      ) : (
        <Typography variant="body2" color="textSecondary">
          {t('edit.viewer')}
        </Typography>
      )}
    </Box>
  );
}

interface NewerVersionNoticeProps {
  readonly version: RulesVersion | null;
  readonly merge: () => void;
}

/** Tells the user that another user has published since the draft was begun, and offers to merge. */
export function NewerVersionNotice({ version, merge }: NewerVersionNoticeProps) {
  const { t } = useTranslation('rules');
  const printAuthor = usePrintAuthor();
  return (
    <Alert
      severity="warning"
      action={
        <Button color="inherit" size="small" onClick={merge}>
          {t('merge.open')}
        </Button>
      }
    >
      {version === null
        ? t('merge.overtakenInitial')
        : t('merge.overtaken', { id: version.id, author: printAuthor(version.author) })}
    </Alert>
  );
}
