import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ApiError } from '../../api/client.ts';
import { accountAddress } from '../../session/addresses.ts';
import { useIsHere } from '../../ui/interaction.ts';
import { notify, reportFailure } from '../../ui/notices.tsx';
import { Failure } from '../../ui/states.tsx';
import { useAccountActions, useAccountScope, useExplainError } from './use-accounts.ts';

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

/** Minimum length of a password under any policy. The server checks the policy of the project. */
const MIN_PASSWORD_LENGTH = 6;
/** An email address, as far as the console checks it. */
const EMAIL = /^[^\s@]+@[^\s@]+$/;
/** A phone number with country code. */
const PHONE_NUMBER = /^\+\d{5,15}$/;

/** The field that an error of the server is about. */
const FIELD_OF_ERROR: Readonly<Record<string, Field>> = {
  EMAIL_EXISTS: 'email',
  INVALID_EMAIL: 'email',
  WEAK_PASSWORD: 'password',
  PASSWORD_DOES_NOT_MEET_REQUIREMENTS: 'password',
  PHONE_NUMBER_EXISTS: 'phoneNumber',
  INVALID_PHONE_NUMBER: 'phoneNumber',
  DUPLICATE_LOCAL_ID: 'localId',
};

type Values = Readonly<Partial<Record<Field, string>>>;

/** Returns the values to send: without empty fields, and without spaces in the phone number. */
function valuesToSend(values: Values): Values {
  const given = FIELDS.map((field) => [field, values[field] ?? ''] as const)
    .filter(([, value]) => value.trim() !== '')
    .map(([field, value]) => {
      if (field === 'password') return [field, value];
      return [field, field === 'phoneNumber' ? value.replaceAll(' ', '') : value.trim()];
    });
  return Object.fromEntries(given);
}

/** Returns the problem of each field that the console can check. */
function useFieldProblems(values: Values): Values {
  const { t, i18n } = useTranslation('accounts');
  const { email, password, phoneNumber, localId } = valuesToSend(values);
  const shortest = MIN_PASSWORD_LENGTH.toLocaleString(i18n.language);
  return {
    ...(email === undefined || EMAIL.test(email) ? {} : { email: t('error.INVALID_EMAIL') }),
    ...(password === undefined || password.length >= MIN_PASSWORD_LENGTH
      ? {}
      : { password: t('create.shortPassword', { number: shortest }) }),
    ...(phoneNumber === undefined || PHONE_NUMBER.test(phoneNumber)
      ? {}
      : { phoneNumber: t('error.INVALID_PHONE_NUMBER') }),
    ...(localId === undefined || isUserId(localId) ? {} : { localId: t('create.wrongUid') }),
  };
}

/** A dialog that creates an account. Every field is optional. Problems are shown at their fields. */
export function CreateAccountDialog({ close }: CreateAccountDialogProps) {
  const { t } = useTranslation('accounts');
  const titleId = useId();
  const navigate = useNavigate();
  const isHere = useIsHere();
  const scope = useAccountScope();
  const { create, refresh } = useAccountActions();
  const explain = useExplainError();
  const [values, setValues] = useState<Values>({});
  const problems = useFieldProblems(values);
  /** The user ID is checked while the user types, the others after the first attempt to save. */
  const [isChecked, setIsChecked] = useState(false);
  const [progress, setProgress] = useState<{ readonly isRunning: boolean; readonly error?: unknown }>({
    isRunning: false,
  });
  const { error } = progress;
  const wrongField = error instanceof ApiError ? FIELD_OF_ERROR[error.code ?? ''] : undefined;
  function problemOf(field: Field): string | undefined {
    if (field === wrongField && error instanceof ApiError) return error.message;
    return isChecked || field === 'localId' ? problems[field] : undefined;
  }
  async function save(): Promise<void> {
    setIsChecked(true);
    if (Object.keys(problems).length > 0) return;
    setProgress({ isRunning: true });
    try {
      const uid = await create(valuesToSend(values));
      notify({ kind: 'done', text: t('create.done') });
      await refresh();
      // The user may have left the page, and with it the dialog, by a key or the back button.
      if (isHere()) void navigate(accountAddress(scope, uid));
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
              error={problemOf(field) !== undefined}
              helperText={problemOf(field) ?? t(`create.hint.${field}`)}
              value={values[field] ?? ''}
              autoComplete="off"
              onChange={(event) => {
                setValues({ ...values, [field]: event.target.value });
                if (field === wrongField) setProgress({ isRunning: false });
              }}
              slotProps={{ htmlInput: { dir: INPUTS[field].isCode ? 'ltr' : 'auto', spellCheck: false } }}
            />
          ))}
          {error !== undefined && wrongField === undefined && <Failure error={error} />}
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
