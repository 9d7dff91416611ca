import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../elements/confirm-dialog.tsx';
import type { Role } from '../../server/role.ts';
import { ROLES } from './roles.ts';

interface AddMemberDialogProps {
  readonly isOpen: boolean;
  readonly close: () => void;
  add(email: string, role: Role): Promise<void>;
}

/** Asks whose account becomes a member, and what they may do. */
export function AddMemberDialog({ isOpen, close, add }: AddMemberDialogProps) {
  const { t } = useTranslation('project');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('members.add')}
      action={t('members.add')}
      run={async () => {
        await add(email.trim(), role);
        setEmail('');
      }}
      close={close}
    >
      <Typography color="textSecondary">{t('members.addText')}</Typography>
      <TextField
        required
        type="email"
        label={t('members.email')}
        autoComplete="off"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <FormControl>
        <FormLabel id="new-member-role">{t('members.role')}</FormLabel>
        <RadioGroup
          aria-labelledby="new-member-role"
          value={role}
          onChange={(_event, value) => setRole(ROLES.find((known) => known === value) ?? 'viewer')}
        >
          {ROLES.map((one) => (
            <FormControlLabel
              key={one}
              value={one}
              control={<Radio size="small" />}
              label={`${t(`role.${one}`)}: ${t(`role.${one}About`)}`}
            />
          ))}
        </RadioGroup>
      </FormControl>
    </ConfirmDialog>
  );
}
