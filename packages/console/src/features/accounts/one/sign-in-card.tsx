import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Account, AccountProvider } from '../../../api/accounts.ts';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notices.tsx';
import { SectionCard } from '../../../ui/sections.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { ProviderNames } from '../account-text.tsx';
import { useAccountActions, useAccountRights } from '../use-accounts.ts';
import { PasswordActions } from './password-actions.tsx';

/** Lists the sign-in providers of an account with buttons that remove them, and offers the actions of `PasswordActions`. */
export function SignInCard({ account }: { readonly account: Account }) {
  const { t } = useTranslation('accounts');
  const { mayChange } = useAccountRights(account.localId);
  const { change, refresh } = useAccountActions();
  const [removing, setRemoving] = useState<AccountProvider>();
  const { providerUserInfo = [], localId } = account;
  async function unlink(): Promise<void> {
    if (removing === undefined) return;
    try {
      await change(localId, { deleteProvider: [removing.providerId] });
      notify({ kind: 'done', text: t('providers.removed') });
    } finally {
      await refresh();
    }
  }
  return (
    <SectionCard
      title={t('providers.title')}
      about={providerUserInfo.length === 0 ? t('providers.none') : undefined}
    >
      {providerUserInfo.length > 0 && (
        <List disablePadding dense>
          {providerUserInfo.map((provider) => (
            <ListItem
              key={provider.providerId}
              disableGutters
              secondaryAction={
                mayChange && (
                  <Button size="small" color="error" onClick={() => setRemoving(provider)}>
                    {t('providers.remove')}
                  </Button>
                )
              }
            >
              <ListItemText
                primary={<ProviderNames ids={[provider.providerId]} />}
                secondary={
                  <UntrustedText
                    text={provider.email ?? provider.phoneNumber ?? provider.rawId ?? ''}
                    isCode
                  />
                }
              />
            </ListItem>
          ))}
        </List>
      )}
      {mayChange && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <PasswordActions account={account} />
        </Box>
      )}
      <ConfirmDialog
        isOpen={removing !== undefined}
        title={t('providers.removeTitle')}
        action={t('providers.remove')}
        isDestructive
        run={unlink}
        close={() => setRemoving(undefined)}
      >
        {t('providers.removeText')}
      </ConfirmDialog>
    </SectionCard>
  );
}
