import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../elements/failure.tsx';
import { tell } from '../../notices/notices.ts';
import type { AddedMember } from '../../server/project.ts';

interface NewMemberNoteProps {
  readonly member: AddedMember;
  /** Sends them a mail with a link to choose a password. */
  sendMail(email: string): Promise<void>;
  close(): void;
}

/** What somebody who has just been made a member has to do before they can come in. */
export function NewMemberNote({ member, sendMail, close }: NewMemberNoteProps) {
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
      tell({ kind: 'done', text: t('members.mailSent', { name: to }) });
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
