import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../elements/failure.tsx';
import { ForeignText } from '../../elements/foreign-text.tsx';
import { SectionCard } from '../../elements/section-card.tsx';
import { UnsavedGuard } from '../../elements/unsaved-guard.tsx';
import type { Account } from '../../server/accounts.ts';
import { useAccountRights } from './use-account-rights.ts';
import { useProfileForm } from './use-profile-form.ts';

const TEXTS = ['email', 'displayName', 'phoneNumber', 'photoUrl'] as const;

/** Who somebody is, to be changed. */
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
                {t(`field.${field}`)}: <ForeignText text={String(theirs[field])} />
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
