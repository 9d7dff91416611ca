import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { accountAddress } from '../../session/addresses.ts';
import { useProjectId } from '../../session/session.ts';
import { useIsHere } from '../../ui/interaction.ts';
import { notify, reportFailure } from '../../ui/notices.tsx';
import { Failure } from '../../ui/states.tsx';
import { useAccountActions, useExplainError } from './use-accounts.ts';

/** Maximum length of a user ID, in UTF-16 code units. */
const MAX_UID_LENGTH = 128;

// biome-ignore lint/suspicious/noControlCharactersInRegex: user IDs must not contain control characters.
const INVALID_CHARACTERS = /[/\u0000-\u001f\u007f-\u009f]/;

/** Returns whether a text is a valid user ID, by the same check as on the server. */
export function isUserId(text: string): boolean {
  return (
    text !== '' && text.length <= MAX_UID_LENGTH && !INVALID_CHARACTERS.test(text) && text.isWellFormed()
  );
}

interface CreateAccountDialogProps {
  readonly close: () => void;
}

const FIELDS = ['email', 'password', 'displayName', 'phoneNumber', 'localId'] as const;
type Field = (typeof FIELDS)[number];

/** Input type of each field. The password is visible, because the member passes it on to the user. */
const INPUTS: Readonly<Record<Field, { readonly type: string; readonly isCode: boolean }>> = {
  email: { type: 'email', isCode: true },
  password: { type: 'text', isCode: true },
  displayName: { type: 'text', isCode: false },
  phoneNumber: { type: 'tel', isCode: true },
  localId: { type: 'text', isCode: true },
};

/** A dialog that creates an account. Every field is optional. */
export function CreateAccountDialog({ close }: CreateAccountDialogProps) {
  const { t } = useTranslation('accounts');
  const titleId = useId();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const project = useProjectId();
  const { create, refresh } = useAccountActions();
  const explain = useExplainError();
  const [values, setValues] = useState<Readonly<Partial<Record<Field, string>>>>({});
  const [progress, setProgress] = useState<{ readonly isRunning: boolean; readonly error?: unknown }>({
    isRunning: false,
  });
  const isUidWrong = Boolean(values.localId) && !isUserId(values.localId?.trim() ?? '');
  async function save(): Promise<void> {
    if (isUidWrong) return;
    setProgress({ isRunning: true });
    const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
    try {
      const uid = await create(
        Object.fromEntries(given.map(([name, value]) => [name, name === 'password' ? value : value.trim()])),
      );
      notify({ kind: 'done', text: t('create.done') });
      await refresh();
      // The user may have left the page, and with it the dialog, by a key or the back button.
      if (isHere()) void navigate(accountAddress(project, uid));
    } catch (cause) {
      const error = explain(cause);
      if (isHere()) setProgress({ isRunning: false, error });
      else reportFailure(error);
    }
  }
  return (
    <Dialog
      open
      // The dialog stays open while it saves, so that the user sees the result.
      onClose={progress.isRunning ? undefined : close}
      aria-labelledby={titleId}
      maxWidth="sm"
      fullWidth
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <DialogTitle id={titleId}>{t('create.title')}</DialogTitle>
        <DialogContent
          sx={{ display: 'flex', flexDirection: 'column', gap: 2, '&&': { paddingBlockStart: 1 } }}
        >
          {FIELDS.map((field, index) => (
            <TextField
              key={field}
              autoFocus={index === 0}
              type={INPUTS[field].type}
              label={t(`field.${field}`)}
              error={field === 'localId' && isUidWrong}
              helperText={
                field === 'localId' && isUidWrong ? t('create.wrongUid') : t(`create.hint.${field}`)
              }
              value={values[field] ?? ''}
              autoComplete="off"
              onChange={(event) => setValues({ ...values, [field]: event.target.value })}
              slotProps={{ htmlInput: { dir: INPUTS[field].isCode ? 'ltr' : 'auto', spellCheck: false } }}
            />
          ))}
          {progress.error !== undefined && <Failure error={progress.error} />}
        </DialogContent>
        <DialogActions>
          <Button onClick={close} disabled={progress.isRunning}>
            {t('cancel', { ns: 'shell' })}
          </Button>
          <Button type="submit" variant="contained" loading={progress.isRunning}>
            {t('create.action')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
