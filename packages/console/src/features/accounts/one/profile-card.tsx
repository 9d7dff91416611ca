import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Account, type AccountChange, findAccount } from '../../../api/accounts.ts';
import { useApi } from '../../../session/session.ts';
import { UnsavedGuard } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notices.tsx';
import { SectionCard } from '../../../ui/sections.tsx';
import { Failure } from '../../../ui/states.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { useAccountActions, useAccountRights, useAccountScope, useExplainError } from '../use-accounts.ts';

/** The fields of an account that its profile form edits. A field without a value has an empty text. */
export interface Profile {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly displayName: string;
  readonly photoUrl: string;
  readonly phoneNumber: string;
}
export type ProfileField = keyof Profile;

const PROFILE_FIELDS = ['email', 'emailVerified', 'displayName', 'phoneNumber', 'photoUrl'] as const;

export function profileOf(account: Account): Profile {
  const { email = '', emailVerified = false, displayName = '', photoUrl = '', phoneNumber = '' } = account;
  return { email, emailVerified, displayName, photoUrl, phoneNumber };
}

/** Returns the fields in which two profiles differ. */
export function differences(a: Profile, b: Profile): readonly ProfileField[] {
  return PROFILE_FIELDS.filter((field) => a[field] !== b[field]);
}

/** Returns the edits that are still unsaved after `saved` was written. The user can type while the form saves. */
export function editsSince(edits: Partial<Profile>, saved: Partial<Profile>): Partial<Profile> {
  const left = PROFILE_FIELDS.filter((field) => edits[field] !== saved[field]);
  return Object.fromEntries(left.map((field) => [field, edits[field]]));
}

/** Returns the request that writes some fields of a profile. The request deletes an email or a phone number that is empty. */
export function changeTo(profile: Profile, fields: readonly ProfileField[]): AccountChange {
  const deletesEmail = fields.includes('email') && profile.email === '';
  const deletesPhone = fields.includes('phoneNumber') && profile.phoneNumber === '';
  const given = fields.filter(
    (field) =>
      !(deletesEmail && (field === 'email' || field === 'emailVerified')) &&
      !(deletesPhone && field === 'phoneNumber'),
  );
  return {
    ...Object.fromEntries(given.map((field) => [field, profile[field]])),
    ...(deletesEmail ? { deleteAttribute: ['EMAIL'] } : {}),
    ...(deletesPhone ? { deleteProvider: ['phone'] } : {}),
  };
}

interface ProfileForm {
  readonly draft: Profile;
  readonly changed: readonly ProfileField[];
  /** Edited fields that another user has changed since the user began to edit. */
  readonly conflicts: readonly ProfileField[];
  /** The profile as the server last returned it. */
  readonly theirs: Profile;
  readonly isSaving: boolean;
  readonly error: unknown;
  edit(change: Partial<Profile>): void;
  reset(): void;
  /** Saves the changed fields. Reports conflicts instead if another user changed the same fields and `mayOverwrite` is false. */
  save(mayOverwrite: boolean): Promise<void>;
  /** Discards the edits of conflicting fields. */
  takeTheirs(): void;
}

interface FormState {
  /** The profile when the user began to edit. */
  readonly base: Profile;
  readonly edits: Partial<Profile>;
  readonly conflicts: readonly ProfileField[];
  readonly isSaving: boolean;
  readonly error?: unknown;
}

/**
 * Returns the state of the profile form, and functions that edit, reset and save it. Fields that the user has not edited show
 * changes by others immediately.
 */
function useProfileForm(account: Account): ProfileForm {
  const { t } = useTranslation('accounts');
  const api = useApi();
  const scope = useAccountScope();
  const { change, refresh } = useAccountActions();
  const explain = useExplainError();
  const theirs = profileOf(account);
  const [state, setState] = useState<FormState>({ base: theirs, edits: {}, conflicts: [], isSaving: false });
  const draft = { ...theirs, ...state.edits };
  const changed = differences(theirs, draft);
  function untouched(): FormState {
    return { base: theirs, edits: {}, conflicts: [], isSaving: false };
  }
  async function save(mayOverwrite: boolean): Promise<void> {
    const { base, edits } = state;
    // The user can type while the form saves, so each update builds on the latest state.
    setState((before) => ({ ...before, conflicts: [], isSaving: true }));
    try {
      const current = await findAccount(api, scope, account.localId);
      const now = current === null ? base : profileOf(current);
      const edited = differences(now, draft).filter((field) => edits[field] !== undefined);
      const conflicts = differences(base, now).filter((field) => edited.includes(field));
      if (conflicts.length > 0 && !mayOverwrite) {
        setState((before) => ({ ...before, conflicts, isSaving: false }));
        await refresh();
        return;
      }
      await change(account.localId, changeTo(draft, edited));
      notify({ kind: 'done', text: t('saved') });
      // The edits stay until the account is loaded again. Otherwise, the fields would show the previous values for a moment.
      await refresh();
      setState((before) => ({
        base: { ...now, ...edits },
        edits: editsSince(before.edits, edits),
        conflicts: [],
        isSaving: false,
      }));
    } catch (error) {
      setState((before) => ({ ...before, conflicts: [], isSaving: false, error: explain(error) }));
      await refresh();
    }
  }
  return {
    draft,
    changed,
    conflicts: state.conflicts,
    theirs,
    isSaving: state.isSaving,
    error: state.error,
    edit: (edits) =>
      setState((before) => ({
        base: Object.keys(before.edits).length === 0 ? theirs : before.base,
        edits: { ...before.edits, ...edits },
        conflicts: before.conflicts,
        isSaving: before.isSaving,
      })),
    reset: () => setState(untouched()),
    save,
    takeTheirs() {
      const left = Object.entries(state.edits).filter(
        ([name]) => !state.conflicts.some((field) => field === name),
      );
      setState({ ...untouched(), edits: Object.fromEntries(left) });
    },
  };
}

const TEXTS = ['email', 'displayName', 'phoneNumber', 'photoUrl'] as const;

/** The form that edits the profile of an account. */
export function ProfileCard({ account }: { readonly account: Account }) {
  const { t } = useTranslation('accounts');
  const { mayChange } = useAccountRights(account.localId);
  const form = useProfileForm(account);
  const { draft, changed, conflicts, theirs } = form;
  const isDirty = changed.length > 0;
  return (
    <SectionCard title={t('profile.title')}>
      <UnsavedGuard isDirty={isDirty} />
      <Box
        component="form"
        noValidate
        sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}
        onSubmit={(event: React.FormEvent) => {
          event.preventDefault();
          void form.save(false);
        }}
      >
        {TEXTS.map((field) => (
          <TextField
            key={field}
            fullWidth
            label={t(`field.${field}`)}
            value={draft[field]}
            onChange={(event) => form.edit({ [field]: event.target.value })}
            slotProps={{
              input: { readOnly: !mayChange },
              htmlInput: { dir: field === 'displayName' ? 'auto' : 'ltr', spellCheck: false },
            }}
          />
        ))}
        <FormControlLabel
          control={
            <Switch
              checked={draft.emailVerified}
              disabled={!mayChange || draft.email === ''}
              onChange={(event) => form.edit({ emailVerified: event.target.checked })}
            />
          }
          label={t('field.emailVerified')}
        />
        {conflicts.length > 0 && (
          <Alert
            severity="warning"
            action={
              <>
                <Button color="inherit" size="small" onClick={form.takeTheirs}>
                  {t('profile.takeTheirs')}
                </Button>
                <Button color="inherit" size="small" onClick={() => void form.save(true)}>
                  {t('profile.overwrite')}
                </Button>
              </>
            }
          >
            {t('profile.conflict')}
            {conflicts.map((field) => (
              <Box key={field}>
                {t(`field.${field}`)}: <UntrustedText text={String(theirs[field])} />
              </Box>
            ))}
          </Alert>
        )}
        {form.error !== undefined && <Failure error={form.error} />}
        {mayChange && (
          <Box sx={{ display: 'flex', gap: 1, justifyContent: 'flex-end' }}>
            <Button disabled={!isDirty || form.isSaving} onClick={form.reset}>
              {t('reset')}
            </Button>
            <Button type="submit" variant="contained" disabled={!isDirty} loading={form.isSaving}>
              {t('save')}
            </Button>
          </Box>
        )}
      </Box>
    </SectionCard>
  );
}
