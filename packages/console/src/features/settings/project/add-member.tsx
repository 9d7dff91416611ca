import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AddedMember } from '../../../api/project.ts';
import type { Role } from '../../../api/session.ts';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notices.tsx';
import { Failure } from '../../../ui/states.tsx';
import { ROLES } from './member-table.tsx';

interface AddMemberDialogProps {
  readonly isOpen: boolean;
  readonly close: () => void;
  add(email: string, role: Role): Promise<void>;
}

/** Asks for the email and the role of a new member. */
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

interface NewMemberNoticeProps {
  readonly member: AddedMember;
  /** Sends the member an email with a link to set a password. */
  sendMail(email: string): Promise<void>;
  close(): void;
}

/** Shows what a new member must do before signing in to the console. */
export function NewMemberNotice({ member, sendMail, close }: NewMemberNoticeProps) {
  const { t } = useTranslation('project');
  const { t: shared } = useTranslation();
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<unknown>();
  const { email, mustSetPassword } = member;
  const name = email ?? member.uid;
  async function send(to: string): Promise<void> {
    setIsSending(true);
    setError(undefined);
    try {
      await sendMail(to);
      notify({ kind: 'done', text: t('members.mailSent', { name: to }) });
    } catch (cause) {
      setError(cause);
    } finally {
      setIsSending(false);
    }
  }
  return (
    <Alert
      severity="info"
      role="status"
      onClose={close}
      slotProps={{ closeButton: { title: shared('close') } }}
    >
      <AlertTitle>{t('members.added', { name })}</AlertTitle>
      <Typography variant="body2">
        {t(mustSetPassword ? 'members.nextPassword' : 'members.nextSignIn')}
      </Typography>
      {mustSetPassword && email !== null && (
        <Button
          variant="outlined"
          loading={isSending}
          onClick={() => void send(email)}
          sx={{ marginBlockStart: 1 }}
        >
          {t('members.sendMail')}
        </Button>
      )}
      {error !== undefined && <Failure error={error} />}
    </Alert>
  );
}
