import AddIcon from '@mui/icons-material/Add';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import EditIcon from '@mui/icons-material/EditOutlined';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../../ui/copy-and-save.tsx';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notices.tsx';
import { SectionHead } from '../../../ui/sections.tsx';
import { EmptyState, Loaded } from '../../../ui/states.tsx';
import { PlainTable } from '../../../ui/tables.tsx';
import { CodeText } from '../../../ui/text.tsx';
import { TimeText } from '../../../ui/time-text.tsx';
import { RolesDialog, type RolesOfAccount } from './roles-dialog.tsx';
import { useServiceAccounts } from './use-project.ts';

/** Lists the service accounts and their keys. A program, such as one that uses firebase-admin, signs in with a key. */
export function ServiceAccountsSection() {
  const { t, i18n } = useTranslation('project');
  const { accounts, addKey, changeRoles, removeKey } = useServiceAccounts();
  const [changing, setChanging] = useState<RolesOfAccount>();
  const [name, setName] = useState<string>();
  const [removing, setRemoving] = useState<{ readonly name: string; readonly keyId: string }>();
  const isReady = accounts.kind === 'ready';
  const roles = new Intl.ListFormat(i18n.language, { type: 'unit' });
  async function downloadKey(): Promise<void> {
    const file = await addKey(name ?? '');
    saveFile(`${file.client_email}.json`, 'application/json', JSON.stringify(file, null, 2));
    notify({ kind: 'done', text: t('service.added') });
  }
  return (
    <>
      <SectionHead
        text={t('service.about')}
        action={
          isReady && (
            <Button variant="contained" startIcon={<AddIcon />} onClick={() => setName('admin')}>
              {t('service.add')}
            </Button>
          )
        }
      />
      <Loaded of={accounts}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title={t('service.none')}>{t('service.noneHint')}</EmptyState>
          ) : (
            <PlainTable
              label={t('section.service-accounts')}
              head={[
                t('service.account'),
                t('service.roles'),
                t('service.key'),
                t('service.since'),
                t('actions'),
              ]}
              rows={list.flatMap((account) => {
                const accountName = account.email.split('@', 1).join('');
                const common = [
                  <CodeText key="account">{account.email}</CodeText>,
                  <span key="roles">
                    {roles.format(account.roles)}
                    <IconButton
                      size="small"
                      aria-label={t('service.rolesOf', { name: accountName })}
                      onClick={() => setChanging({ name: accountName, roles: account.roles })}
                    >
                      <EditIcon />
                    </IconButton>
                  </span>,
                ];
                // An account without a key keeps its roles for the next one.
                if (account.keys.length === 0)
                  return [{ key: account.email, cells: [...common, null, null, null] }];
                return account.keys.map(({ keyId, createdAtMs }) => ({
                  key: keyId,
                  cells: [
                    ...common,
                    <CodeText key="key">{keyId}</CodeText>,
                    <TimeText key="since" ms={createdAtMs} />,
                    <IconButton
                      key="remove"
                      size="small"
                      aria-label={t('service.removeOf', { key: keyId })}
                      onClick={() => setRemoving({ name: accountName, keyId })}
                    >
                      <DeleteIcon />
                    </IconButton>,
                  ],
                }));
              })}
            />
          )
        }
      </Loaded>
      <ConfirmDialog
        isOpen={name !== undefined}
        title={t('service.addTitle')}
        action={t('service.download')}
        run={downloadKey}
        close={() => setName(undefined)}
      >
        <Typography>{t('service.addText')}</Typography>
        <TextField
          required
          label={t('service.name')}
          helperText={t('service.nameHint')}
          value={name ?? ''}
          onChange={({ target }) => setName(target.value)}
          slotProps={{ htmlInput: { pattern: '[a-z][a-z0-9\\-]{0,29}', dir: 'ltr' } }}
        />
      </ConfirmDialog>
      <RolesDialog account={changing} changeRoles={changeRoles} close={() => setChanging(undefined)} />
      <ConfirmDialog
        isOpen={removing !== undefined}
        isDestructive
        title={t('service.removeTitle')}
        action={t('service.remove')}
        run={async () => {
          if (removing === undefined) return;
          await removeKey(removing.name, removing.keyId);
          notify({ kind: 'done', text: t('service.removed') });
        }}
        close={() => setRemoving(undefined)}
      >
        {t('service.removeText')}
      </ConfirmDialog>
    </>
  );
}
