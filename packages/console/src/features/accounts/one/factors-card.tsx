import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Account, AccountFactor } from '../../../api/accounts.ts';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notices.tsx';
import { SectionCard } from '../../../ui/sections.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { printTime } from '../account-text.tsx';
import { useAccountActions, useAccountRights } from '../use-accounts.ts';

/** Lists the second factors of an account, and lets the member remove one, such as a lost phone. */
export function FactorsCard({ account }: { readonly account: Account }) {
  const { t, i18n } = useTranslation('accounts');
  const { mayChange } = useAccountRights(account.localId);
  const { change, refresh } = useAccountActions();
  const [removing, setRemoving] = useState<AccountFactor>();
  const { mfaInfo = [], localId } = account;
  const nameOf = ({ phoneInfo, displayName }: AccountFactor): string =>
    [phoneInfo ?? t('factors.app'), displayName].filter((part) => part !== undefined).join(' · ');
  async function remove(): Promise<void> {
    const enrollments = mfaInfo.filter((factor) => factor !== removing);
    try {
      await change(localId, { mfa: { enrollments } });
      notify({ kind: 'done', text: t('factors.removed') });
    } finally {
      await refresh();
    }
  }
  return (
    <SectionCard title={t('factors.title')} about={mfaInfo.length === 0 ? t('factors.none') : undefined}>
      {mfaInfo.length > 0 && (
        <List disablePadding dense>
          {mfaInfo.map((factor) => (
            <ListItem
              key={factor.mfaEnrollmentId}
              disableGutters
              secondaryAction={
                mayChange && (
                  <Button size="small" color="error" onClick={() => setRemoving(factor)}>
                    {t('factors.remove')}
                  </Button>
                )
              }
            >
              <ListItemText
                primary={<UntrustedText text={nameOf(factor)} />}
                secondary={
                  factor.enrolledAt === undefined
                    ? undefined
                    : t('factors.since', { time: printTime(Date.parse(factor.enrolledAt), i18n.language) })
                }
              />
            </ListItem>
          ))}
        </List>
      )}
      <ConfirmDialog
        isOpen={removing !== undefined}
        title={t('factors.removeTitle')}
        action={t('factors.remove')}
        isDestructive
        run={remove}
        close={() => setRemoving(undefined)}
      >
        {t('factors.removeText')}
      </ConfirmDialog>
    </SectionCard>
  );
}
