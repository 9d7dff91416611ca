import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useRights } from '../../../session/session.ts';
import { useCommands } from '../../../shell/commands.ts';
import { UnsavedGuard } from '../../../ui/dialogs.tsx';
import { Failure, LoadingBar } from '../../../ui/states.tsx';
import { CodeText, showControls } from '../../../ui/text.tsx';
import { ConflictDialog } from '../edit/conflict-dialog.tsx';
import type { DataLocation } from '../model/location.ts';
import { stagedDifferences } from '../staging/overlay.ts';
import { useNodeActions } from '../staging/use-node-actions.ts';
import { useStage } from '../staging/use-staging.ts';
import { JsonEditor, markLines } from './editor.tsx';
import { useJsonNode } from './use-json-node.ts';

const NOTHING_TO_REFRESH = (): void => {};

/** Shows a node as JSON text that can be edited. */
export function JsonPanel({ location }: { readonly location: DataLocation }) {
  const { t } = useTranslation('data');
  const { database, path } = location;
  const { mayChange } = useRights();
  const { list: staged } = useStage(database);
  const actions = useNodeActions(database, NOTHING_TO_REFRESH);
  const { node, change, save, overwrite, reload } = useJsonNode(database, path, actions, staged);
  const saveLabel = t(actions.isStaged ? 'staged.stage' : 'edit.save');
  const original = node.kind === 'ready' && !node.isDirty ? node.original : null;
  const marks = useMemo(
    () => (original === null ? [] : markLines(original, stagedDifferences(path, staged))),
    [original, path, staged],
  );
  const canSave = mayChange && node.kind === 'ready' && node.isDirty;
  const commands = useMemo(
    () =>
      canSave ? [{ id: 'data.save', title: saveLabel, group: t('title'), keys: 'mod+s', run: save }] : [],
    [t, saveLabel, canSave, save],
  );
  useCommands(commands);
  switch (node.kind) {
    case 'loading':
      return <LoadingBar />;
    case 'forbidden':
      return <Failure error={node.error} retry={reload} />;
    case 'failed':
      return <Failure error={node.error} retry={reload} />;
    case 'too-large':
      return <Alert severity="info">{t('json.tooLarge')}</Alert>;
    default:
  }
  const { phase, text, isDirty } = node;
  return (
    <>
      <Box
        role="toolbar"
        aria-label={t('json.bar')}
        sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}
      >
        <Chip
          size="small"
          variant="outlined"
          role="status"
          color={isDirty ? 'warning' : 'success'}
          label={t(phase.kind === 'waiting' ? 'json.waiting' : isDirty ? 'json.unsaved' : 'live.live')}
        />
        <Box sx={{ flex: 1 }} />
        {mayChange && (
          <>
            <Button disabled={!isDirty || phase.kind === 'saving'} onClick={reload}>
              {t('json.discard')}
            </Button>
            <Button variant="contained" disabled={!isDirty} loading={phase.kind === 'saving'} onClick={save}>
              {saveLabel}
            </Button>
          </>
        )}
      </Box>
      {phase.kind === 'problem' && (
        <Alert severity="error">{t('json.problem', { message: phase.message })}</Alert>
      )}
      {phase.kind === 'bad-key' && (
        <Alert severity="error">
          <CodeText>{JSON.stringify(showControls(phase.key))}</CodeText> {t('add.keyRule')}
        </Alert>
      )}
      {phase.kind === 'digits' && (
        <Alert severity="error">
          <CodeText>{phase.number}</CodeText> {t('edit.problem.digits')}
        </Alert>
      )}
      {phase.kind === 'failed' && <Failure error={phase.error} />}
      {phase.kind === 'waiting' && <Alert severity="warning">{t('edit.waiting')}</Alert>}
      {phase.kind === 'outdated' && (
        <Alert
          severity="warning"
          action={
            <Button color="inherit" size="small" onClick={reload}>
              {t('json.loadTheirs')}
            </Button>
          }
        >
          {t('json.outdated')}
        </Alert>
      )}
      <JsonEditor
        label={t('json.label', { path })}
        text={text}
        marks={marks}
        isReadOnly={!mayChange}
        onChange={change}
      />
      <UnsavedGuard isDirty={isDirty} />
      {phase.kind === 'stale' && (
        <ConflictDialog
          path={path}
          theirs={phase.current.text}
          mine={text}
          keepTheirs={reload}
          writeMine={overwrite}
          close={() => change(text)}
        />
      )}
    </>
  );
}
