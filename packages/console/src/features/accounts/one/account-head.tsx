import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { Account } from '../../../api/accounts.ts';
import { accountsAddress } from '../../../session/addresses.ts';
import { type Command, useCommands } from '../../../shell/commands.ts';
import { CopyButton } from '../../../ui/copy-and-save.tsx';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { useIsHere } from '../../../ui/interaction.ts';
import { notify, reportFailure } from '../../../ui/notices.tsx';
import { CodeText, showControls } from '../../../ui/text.tsx';
import { accountName, ProviderNames, printTime, providersOf } from '../account-text.tsx';
import { select } from '../bulk-actions.tsx';
import { useAccountActions, useAccountRights, useAccountScope, useExplainError } from '../use-accounts.ts';
import { AccountInitials } from './account-initials.tsx';

/** Shows the main facts about an account: initials, state, user ID, providers and times. */
export function AccountHead({ account }: { readonly account: Account }) {
  const { t, i18n } = useTranslation('accounts');
  const { localId, disabled = false, email, emailVerified = false, createdAt, lastLoginAt } = account;
  const providers = providersOf(account);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 3, rowGap: 0.5 }}>
      <AccountInitials account={account} />
      {disabled && <Chip color="error" size="small" label={t('state.disabled')} />}
      {email !== undefined && !emailVerified && (
        <Chip variant="outlined" size="small" label={t('state.unverified')} />
      )}
      <Fact label={t('column.uid')}>
        <CodeText>{localId}</CodeText>
        <CopyButton text={localId} label={t('copyUid')} />
      </Fact>
      {providers.length > 0 && (
        <Fact label={t('column.providers')}>
          <ProviderNames ids={providers} />
        </Fact>
      )}
      <Fact label={t('column.created')}>{printTime(createdAt, i18n.language)}</Fact>
      <Fact label={t('column.seen')}>
        {lastLoginAt === undefined ? t('never') : printTime(lastLoginAt, i18n.language)}
      </Fact>
    </Box>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <Typography component="div" variant="body2">
      <Box component="span" sx={{ color: 'text.secondary', marginInlineEnd: 0.75 }}>
        {label}
      </Box>
      {children}
    </Typography>
  );
}

/** Buttons to enable or disable an account, and to delete it. The command palette offers to disable and to delete it. */
export function AccountActions({ account }: { readonly account: Account }) {
  const { t } = useTranslation('accounts');
  const { mayChange } = useAccountRights(account.localId);
  const navigate = useNavigate();
  const isHere = useIsHere();
  const scope = useAccountScope();
  const { change, remove, refresh } = useAccountActions();
  const explain = useExplainError();
  const [confirming, setConfirming] = useState<'disable' | 'delete'>();
  const { localId, disabled = false } = account;
  const name = showControls(accountName(account));
  const commands = useMemo((): readonly Command[] => {
    const group = t('column.name');
    const ask = (what: 'disable' | 'delete') => ({
      id: `account.${what}`,
      title: t(`bulk.${what}.action`),
      group,
      run: () => setConfirming(what),
    });
    if (!mayChange) return [];
    return disabled ? [ask('delete')] : [ask('disable'), ask('delete')];
  }, [mayChange, disabled, t]);
  useCommands(commands);
  if (!mayChange) return null;
  async function setDisabled(disableUser: boolean): Promise<void> {
    try {
      await change(localId, { disableUser });
    } catch (error) {
      throw explain(error);
    } finally {
      await refresh();
    }
    notify({
      kind: 'done',
      text: t(disableUser ? 'disabled' : 'enabled', { name }),
      undo: () => setDisabled(!disableUser),
    });
  }
  async function erase(): Promise<void> {
    await remove([localId]);
    select([account], false);
    notify({ kind: 'done', text: t('deleted', { name }) });
    if (isHere()) await navigate(accountsAddress(scope));
    await refresh();
  }
  return (
    <>
      {disabled ? (
        <Button variant="outlined" onClick={() => void setDisabled(false).catch(reportFailure)}>
          {t('bulk.enable.action')}
        </Button>
      ) : (
        <Button variant="outlined" onClick={() => setConfirming('disable')}>
          {t('bulk.disable.action')}
        </Button>
      )}
      <Button variant="outlined" color="error" onClick={() => setConfirming('delete')}>
        {t('bulk.delete.action')}
      </Button>
      <ConfirmDialog
        isOpen={confirming === 'disable'}
        title={t('disableOne', { name })}
        action={t('bulk.disable.action')}
        run={() => setDisabled(true)}
        close={() => setConfirming(undefined)}
      >
        {t('bulk.disable.text')}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={confirming === 'delete'}
        title={t('deleteOne', { name })}
        action={t('bulk.delete.action')}
        isDestructive
        typed={account.email ?? localId}
        run={erase}
        close={() => setConfirming(undefined)}
      >
        {t('bulk.delete.text')}
      </ConfirmDialog>
    </>
  );
}
