import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type Command, useCommands } from '../../../shell/commands.ts';
import { UnsavedGuard } from '../../../ui/dialogs.tsx';
import { Failure } from '../../../ui/states.tsx';
import { Arrow, UntrustedText } from '../../../ui/text.tsx';
import { type SettingsForm, useSettingLabel } from './settings-form.ts';

/** Registers the command that saves the settings, while they can be saved. */
function useSaveCommand(form: SettingsForm, canSave: boolean): void {
  const { t } = useTranslation('sign-in');
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  }, [form]);
  const commands = useMemo(
    (): readonly Command[] =>
      canSave
        ? [
            {
              id: 'sign-in.save',
              title: t('changes.save'),
              group: t('title'),
              keys: 'mod+s',
              run: () => void latest.current.save(false),
            },
          ]
        : [],
    [canSave, t],
  );
  useCommands(commands);
}

interface SaveBarProps {
  readonly form: SettingsForm;
  /** The reason why the settings cannot be saved. */
  readonly problem?: string | undefined;
}

/** Shows unsaved changes, and the buttons that save or discard them. */
export function SaveBar({ form, problem }: SaveBarProps) {
  const { t } = useTranslation('sign-in');
  const edits = Object.entries(form.edits);
  const isDirty = edits.length > 0;
  useSaveCommand(form, isDirty && problem === undefined);
  return (
    <>
      <UnsavedGuard isDirty={isDirty} />
      {isDirty && (
        <Paper
          component="section"
          aria-label={t('changes.title')}
          elevation={4}
          sx={{
            position: 'sticky',
            insetBlockEnd: 8,
            zIndex: 1,
            padding: 2,
            display: 'flex',
            flexDirection: 'column',
            gap: 1,
          }}
        >
          <Typography role="status" sx={{ fontWeight: 600 }}>
            {t('changes.count', { count: edits.length })}
          </Typography>
          <Box component="ul" sx={{ margin: 0, paddingInlineStart: 2.5, maxHeight: 160, overflow: 'auto' }}>
            {edits.map(([path, { before, after }]) => (
              <li key={path}>
                <Change path={path} before={before} after={after} />
              </li>
            ))}
          </Box>
          {problem !== undefined && <Alert severity="warning">{problem}</Alert>}
          {form.error !== undefined && <Failure error={form.error} />}
          {form.conflicts.length > 0 && <Conflicts form={form} />}
          <Box sx={{ display: 'flex', justifyContent: 'flex-end', gap: 1 }}>
            <Button onClick={form.discard} disabled={form.isSaving}>
              {t('changes.discard')}
            </Button>
            <Button
              variant="contained"
              disabled={problem !== undefined}
              loading={form.isSaving}
              onClick={() => void form.save(false)}
            >
              {t('changes.save')}
            </Button>
          </Box>
        </Paper>
      )}
    </>
  );
}

interface ChangeProps {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

function Change({ path, before, after }: ChangeProps) {
  const { t } = useTranslation('sign-in');
  const { labelOf, printValue } = useSettingLabel();
  const [was, becomes] = [printValue(path, before), printValue(path, after)];
  const label = labelOf(path);
  if (becomes === undefined) return t('changes.changed', { label });
  if (was === undefined) return t('changes.removed', { label });
  return (
    <>
      {label}: <UntrustedText text={was} />
      <Arrow />
      <UntrustedText text={becomes} />
    </>
  );
}

function Conflicts({ form }: { readonly form: SettingsForm }) {
  const { t } = useTranslation('sign-in');
  const { labelOf, printValue } = useSettingLabel();
  return (
    <Alert
      severity="warning"
      action={
        <>
          <Button color="inherit" size="small" onClick={form.takeTheirs}>
            {t('conflict.takeTheirs')}
          </Button>
          <Button color="inherit" size="small" onClick={() => void form.save(true)}>
            {t('conflict.overwrite')}
          </Button>
        </>
      }
    >
      {t('conflict.title')}
      {form.conflicts.map(({ path, theirs }) => (
        <Box key={path}>
          {labelOf(path)}: <UntrustedText text={printValue(path, theirs) ?? t('conflict.other')} />
        </Box>
      ))}
    </Alert>
  );
}
