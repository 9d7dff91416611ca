import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { type Command, useCommands } from '../../commands/commands.ts';
import { ConfirmDialog } from '../../elements/confirm-dialog.tsx';
import { showControls } from '../../elements/show-controls.ts';
import { useIsHere } from '../../elements/use-is-here.ts';
import { tell } from '../../notices/notices.ts';
import { tellFailure } from '../../notices/tell-failure.ts';
import { areaAddress } from '../../routes/addresses.ts';
import type { Account } from '../../server/accounts.ts';
import { useProjectId } from '../../session/session.ts';
import { accountName } from './account-name.ts';
import { select } from './selection.ts';
import { useAccountRights } from './use-account-rights.ts';
import { useAccountActions } from './use-accounts.ts';
import { useExplained } from './use-explained.ts';

/** What can be done with an account as a whole. */
export function AccountActions({ account }: { readonly account: Account }) {
  const { t } = useTranslation('accounts');
  const { mayChange } = useAccountRights(account.localId);
  const navigate = useNavigate();
  const isHere = useIsHere();
  const project = useProjectId();
  const { change, remove, refresh } = useAccountActions();
  const explain = useExplained();
  const [asked, setAsked] = useState<'disable' | 'delete'>();
  const { localId, disabled = false } = account;
  const name = showControls(accountName(account));
  const commands = useMemo((): readonly Command[] => {
    const group = t('column.name');
    const ask = (what: 'disable' | 'delete') => ({
      id: `account.${what}`,
      title: t(`bulk.${what}.action`),
      group,
      run: () => setAsked(what),
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
    tell({
      kind: 'done',
      text: t(disableUser ? 'disabled' : 'enabled', { name }),
      undo: () => setDisabled(!disableUser),
    });
  }
  async function erase(): Promise<void> {
    await remove([localId]);
    select([account], false);
    tell({ kind: 'done', text: t('deleted', { name }) });
    if (isHere()) await navigate(areaAddress(project, 'accounts'));
    await refresh();
  }
  return (
    <>
      {disabled ? (
        <Button variant="outlined" onClick={() => void setDisabled(false).catch(tellFailure)}>
          {t('bulk.enable.action')}
        </Button>
      ) : (
        <Button variant="outlined" onClick={() => setAsked('disable')}>
          {t('bulk.disable.action')}
        </Button>
      )}
      <Button variant="outlined" color="error" onClick={() => setAsked('delete')}>
        {t('bulk.delete.action')}
      </Button>
      <ConfirmDialog
        isOpen={asked === 'disable'}
        title={t('disableOne', { name })}
        action={t('bulk.disable.action')}
        run={() => setDisabled(true)}
        close={() => setAsked(undefined)}
      >
        {t('bulk.disable.text')}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={asked === 'delete'}
        title={t('deleteOne', { name })}
        action={t('bulk.delete.action')}
        isDestructive
        typed={account.email ?? localId}
        run={erase}
        close={() => setAsked(undefined)}
      >
        {t('bulk.delete.text')}
      </ConfirmDialog>
    </>
  );
}
