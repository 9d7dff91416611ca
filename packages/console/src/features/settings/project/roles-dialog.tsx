import { ADMIN_ROLES } from '@hearth/core/api/service-account.ts';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormGroup from '@mui/material/FormGroup';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notices.tsx';

/** A service account by the part of its email before the `@`, with its roles. */
export interface RolesOfAccount {
  readonly name: string;
  readonly roles: readonly string[];
}

interface RolesDialogProps {
  /** The account whose roles are changed; `undefined` closes the dialog. */
  readonly account: RolesOfAccount | undefined;
  changeRoles(name: string, roles: readonly string[]): Promise<void>;
  close(): void;
}

/** Lets an owner choose the roles of a service account. */
export function RolesDialog({ account, changeRoles, close }: RolesDialogProps) {
  const { t } = useTranslation('project');
  const [draft, setDraft] = useState<RolesOfAccount>();
  const { name = '', roles: present = [] } = account ?? {};
  const roles = draft?.name === name ? draft.roles : present;
  function finish(): void {
    setDraft(undefined);
    close();
  }
  return (
    <ConfirmDialog
      isOpen={account !== undefined}
      title={t('service.rolesOf', { name })}
      action={t('service.changeRoles')}
      run={async () => {
        await changeRoles(name, roles);
        notify({ kind: 'done', text: t('service.rolesChanged', { name }) });
      }}
      close={finish}
    >
      <Typography>{t('service.rolesText')}</Typography>
      <FormGroup>
        {ADMIN_ROLES.map((role) => (
          <FormControlLabel
            key={role}
            label={role}
            dir="ltr"
            control={
              <Checkbox
                checked={roles.includes(role)}
                onChange={({ target }) =>
                  setDraft({
                    name,
                    roles: ADMIN_ROLES.filter((one) => (one === role ? target.checked : roles.includes(one))),
                  })
                }
              />
            }
          />
        ))}
      </FormGroup>
    </ConfirmDialog>
  );
}
