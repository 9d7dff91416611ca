import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Account, AccountPasskey } from '../../../api/accounts.ts';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notices.tsx';
import { SectionCard } from '../../../ui/sections.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { printTime } from '../account-text.tsx';
import { useAccountActions, useAccountRights } from '../use-accounts.ts';

/** Lists the passkeys of an account, and lets the member remove one, such as that of a lost phone. */
export function PasskeysCard({ account }: { readonly account: Account }) {
  const { t, i18n } = useTranslation('accounts');
  const { mayChange } = useAccountRights(account.localId);
  const { change, refresh } = useAccountActions();
  const [removing, setRemoving] = useState<AccountPasskey>();
  const { passkeyInfo = [], localId } = account;
  const timesOf = ({ createdAt, lastUsedAt }: AccountPasskey): string => {
    const print = (time: string): string => printTime(Date.parse(time), i18n.language);
    const parts = [t('passkeys.since', { time: print(createdAt) })];
    if (lastUsedAt !== undefined) parts.push(t('passkeys.used', { time: print(lastUsedAt) }));
    return parts.join(' · ');
  };
  async function remove(): Promise<void> {
    if (removing === undefined) return;
    try {
      await change(localId, { deletePasskey: [removing.credentialId] });
      notify({ kind: 'done', text: t('passkeys.removed') });
    } finally {
      await refresh();
    }
  }
  return (
    <SectionCard
      title={t('passkeys.title')}
      about={passkeyInfo.length === 0 ? t('passkeys.none') : undefined}
    >
      {passkeyInfo.length > 0 && (
        <List disablePadding dense>
          {passkeyInfo.map((passkey) => (
            <ListItem
              key={passkey.credentialId}
              disableGutters
              secondaryAction={
                mayChange && (
                  <Button size="small" color="error" onClick={() => setRemoving(passkey)}>
                    {t('passkeys.remove')}
                  </Button>
                )
              }
            >
              <ListItemText primary={<UntrustedText text={passkey.name} />} secondary={timesOf(passkey)} />
            </ListItem>
          ))}
        </List>
      )}
      <ConfirmDialog
        isOpen={removing !== undefined}
        title={t('passkeys.removeTitle')}
        action={t('passkeys.remove')}
        isDestructive
        run={remove}
        close={() => setRemoving(undefined)}
      >
        {t('passkeys.removeText')}
      </ConfirmDialog>
    </SectionCard>
  );
}
