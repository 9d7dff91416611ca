import type { WholeRulesVersion } from '@hearth/core/api/rules-version.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { rulesAddress } from '../../../session/addresses.ts';
import { useProjectId, useRights } from '../../../session/session.ts';
import { ChoiceButtons } from '../../../ui/choice-buttons.tsx';
import { CopyButton } from '../../../ui/copy-and-save.tsx';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { useIsHere } from '../../../ui/interaction.ts';
import { notify } from '../../../ui/notices.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { CodeEditor } from '../code/code-editor.tsx';
import { RULES_LANGUAGE } from '../code/highlighting.ts';
import { useDraft, useRollBack, useVersion } from '../code/revisions.ts';
import { DifferenceView } from './difference.tsx';
import { countChangedLines, DifferenceText } from './difference-text.tsx';

interface VersionDetailProps {
  readonly database: string;
  readonly id: number;
  /** ID of the current version. */
  readonly currentId: number;
}

const SHOWN = ['change', 'whole', 'in-force'] as const;

/** Shows a version: its changes, its source, or its difference from the current rules. */
export function VersionDetail({ database, id, currentId }: VersionDetailProps) {
  const version = useVersion(database, id);
  return (
    <Loaded of={version}>
      {(whole) => <Detail database={database} version={whole} currentId={currentId} />}
    </Loaded>
  );
}

function Detail({
  database,
  version,
  currentId,
}: Omit<VersionDetailProps, 'id'> & { readonly version: WholeRulesVersion }) {
  const { t } = useTranslation('rules');
  const { mayChange } = useRights();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const project = useProjectId();
  const [parameters, setParameters] = useSearchParams();
  const [isConfirming, setIsConfirming] = useState(false);
  const { draft, write } = useDraft(database);
  const rollBack = useRollBack(database);
  const isCurrent = version.id === currentId;
  const shown = SHOWN.find((one) => one === parameters.get('show')) ?? 'change';
  const edit = (): void => {
    write({ source: version.source, basedOn: currentId });
    notify({ kind: 'done', text: t('versions.inEditor', { id: version.id }), undo: () => write(draft) });
    void navigate(rulesAddress(project, database));
  };
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <ChoiceButtons
          label={t('versions.show')}
          chosen={shown}
          choices={SHOWN.filter((one) => one !== 'in-force' || !isCurrent).map((id) => ({
            id,
            title: t(`versions.shown.${id}`),
          }))}
          choose={(one) => setParameters(one === 'change' ? {} : { show: one }, { replace: true })}
        />
        <Box sx={{ flex: 1 }} />
        <CopyButton text={version.source} label={t('versions.copy')} />
        {!isCurrent && <Button onClick={edit}>{t('versions.edit')}</Button>}
        {!isCurrent && mayChange && (
          <Button variant="contained" onClick={() => setIsConfirming(true)}>
            {t('versions.rollBack')}
          </Button>
        )}
      </Box>
      <Paper
        variant="outlined"
        sx={{ flex: 1, minHeight: 240, display: 'flex', flexDirection: 'column', overflow: 'hidden' }}
      >
        {shown === 'change' && <Change version={version} />}
        {shown === 'whole' && (
          <CodeEditor
            label={t('versions.source', { id: version.id })}
            text={version.source}
            extensions={RULES_LANGUAGE}
          />
        )}
        {shown === 'in-force' && (
          <AgainstCurrent database={database} version={version} currentId={currentId} />
        )}
      </Paper>
      <ConfirmDialog
        isOpen={isConfirming}
        title={t('versions.rollBackTitle', { id: version.id })}
        action={t('versions.rollBack')}
        run={async () => {
          const made = await rollBack(version.id, currentId);
          notify({ kind: 'done', text: t('versions.rolledBack', { id: version.id, made }) });
          if (isHere()) void navigate(`${rulesAddress(project, database, 'versions')}/${made}`);
        }}
        close={() => setIsConfirming(false)}
      >
        <Typography>{t('versions.rollBackText', { id: version.id, current: currentId })}</Typography>
        <LineCounts database={database} version={version} currentId={currentId} />
      </ConfirmDialog>
    </>
  );
}

function Change({ version: { difference, source, id } }: { readonly version: WholeRulesVersion }) {
  const { t } = useTranslation('rules');
  if (difference === null)
    return <CodeEditor label={t('versions.source', { id })} text={source} extensions={RULES_LANGUAGE} />;
  return <DifferenceText label={t('versions.changed', { id })} difference={difference} />;
}

interface ComparedProps {
  readonly database: string;
  readonly version: WholeRulesVersion;
  readonly currentId: number;
}

/** Shows the changes that a rollback to the version would make to the current rules. */
function AgainstCurrent({ database, version, currentId }: ComparedProps) {
  const { t } = useTranslation('rules');
  const current = useVersion(database, currentId);
  return (
    <Loaded of={current}>
      {({ source }) => (
        <DifferenceView label={t('versions.shown.in-force')} before={source} after={version.source} />
      )}
    </Loaded>
  );
}

function LineCounts({ database, version, currentId }: ComparedProps) {
  const { t } = useTranslation('rules');
  const current = useVersion(database, currentId);
  if (current.kind !== 'ready') return null;
  const { added, removed } = countChangedLines(current.data.source, version.source);
  return (
    <Typography color="textSecondary">
      {t('versions.added', { count: added })} {t('versions.removed', { count: removed })}
    </Typography>
  );
}
