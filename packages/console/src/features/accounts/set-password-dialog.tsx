import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../elements/confirm-dialog.tsx';
import { tell } from '../../notices/notices.ts';
import { useAccountActions } from './use-accounts.ts';
import { useExplained } from './use-explained.ts';

interface SetPasswordDialogProps {
  readonly uid: string;
  readonly close: () => void;
}

/** Gives an account another password, which signs it out everywhere. */
export function SetPasswordDialog({ uid, close }: SetPasswordDialogProps) {
  const { t } = useTranslation('accounts');
  const { change, refresh } = useAccountActions();
  const explain = useExplained();
  const [password, setPassword] = useState('');
  async function save(): Promise<void> {
    try {
      await change(uid, { password });
      tell({ kind: 'done', text: t('password.changed') });
    } catch (error) {
      throw explain(error);
    } finally {
      await refresh();
    }
  }
  return (
    <ConfirmDialog isOpen title={t('password.setTitle')} action={t('password.set')} run={save} close={close}>
      {t('password.setText')}
      <TextField
        autoFocus
        label={t('field.password')}
        value={password}
        autoComplete="new-password"
        onChange={(event) => setPassword(event.target.value)}
        slotProps={{ htmlInput: { dir: 'ltr', spellCheck: false } }}
        sx={{ marginBlockStart: 1 }}
      />
    </ConfirmDialog>
  );
}
