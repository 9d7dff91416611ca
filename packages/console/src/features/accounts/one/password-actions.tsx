import Box from '@mui/material/Box';
import type { ButtonProps } from '@mui/material/Button';
import Button from '@mui/material/Button';
import { buttonBaseClasses } from '@mui/material/ButtonBase';
import CircularProgress from '@mui/material/CircularProgress';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createLink, type LinkKind, sendLink } from '../../../api/account-security.ts';
import type { Account } from '../../../api/accounts.ts';
import { useApi } from '../../../session/session.ts';
import { CopyButton } from '../../../ui/copy-and-save.tsx';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { notify, reportFailure } from '../../../ui/notices.tsx';
import { CodeText } from '../../../ui/text.tsx';
import { useAccountActions, useAccountScope, useExplainError } from '../use-accounts.ts';

interface ActionButtonProps extends Pick<ButtonProps, 'variant' | 'children'> {
  /** Called when the button is pressed, except while an earlier call runs. A rejection is shown as a notice. */
  readonly act: () => Promise<void>;
}

/**
 * A button for a request that must not be repeated, such as sending an email. While the request runs, the button keeps the
 * focus, which a disabled button would lose.
 */
export function ActionButton({ act, variant, children }: ActionButtonProps) {
  const [isRunning, setIsRunning] = useState(false);
  async function run(): Promise<void> {
    if (isRunning) return;
    setIsRunning(true);
    try {
      await act();
    } catch (error) {
      reportFailure(error);
    } finally {
      setIsRunning(false);
    }
  }
  return (
    <Button
      variant={variant}
      aria-disabled={isRunning}
      className={isRunning ? buttonBaseClasses.disabled : ''}
      onClick={() => void run()}
      sx={isRunning ? { '&&': { color: 'transparent' } } : {}}
    >
      {children}
      {isRunning && <CircularProgress aria-hidden size={16} sx={{ position: 'absolute' }} />}
    </Button>
  );
}

interface LinkDialogProps {
  readonly link: string;
  readonly close: () => void;
}

/** Shows a password reset link with a button that copies it. */
function LinkDialog({ link, close }: LinkDialogProps) {
  const { t } = useTranslation('accounts');
  const titleId = useId();
  return (
    <Dialog open onClose={close} aria-labelledby={titleId} maxWidth="sm" fullWidth>
      <DialogTitle id={titleId}>{t('password.linkTitle')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        <Typography>{t('password.linkText')}</Typography>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
          <CodeText>{link}</CodeText>
          <CopyButton text={link} label={t('password.copyLink')} />
        </Box>
      </DialogContent>
      <DialogActions>
        <Button autoFocus onClick={close}>
          {t('close', { ns: 'shell' })}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface SetPasswordDialogProps {
  readonly uid: string;
  readonly close: () => void;
}

/** A dialog that sets a new password. The change ends all sessions of the account. */
function SetPasswordDialog({ uid, close }: SetPasswordDialogProps) {
  const { t } = useTranslation('accounts');
  const { change, refresh } = useAccountActions();
  const explain = useExplainError();
  const [password, setPassword] = useState('');
  async function save(): Promise<void> {
    try {
      await change(uid, { password });
      notify({ kind: 'done', text: t('password.changed') });
    } catch (error) {
      throw explain(error);
    } finally {
      await refresh();
    }
  }
  return (
    <ConfirmDialog isOpen title={t('password.setTitle')} action={t('password.set')} run={save} close={close}>
      {t('password.setText')}
      <TextField
        autoFocus
        label={t('field.password')}
        value={password}
        autoComplete="new-password"
        onChange={(event) => setPassword(event.target.value)}
        slotProps={{ htmlInput: { dir: 'ltr', spellCheck: false } }}
        sx={{ marginBlockStart: 1 }}
      />
    </ConfirmDialog>
  );
}

/**
 * For an account with an email, offers to set a password and to send or create a reset link. If the email is not verified,
 * also offers to send a verification email.
 */
export function PasswordActions({ account }: { readonly account: Account }) {
  const { t } = useTranslation('accounts');
  const api = useApi();
  const scope = useAccountScope();
  const explain = useExplainError();
  const { refresh } = useAccountActions();
  const [isSetting, setIsSetting] = useState(false);
  const [link, setLink] = useState<string>();
  const { email, emailVerified = false } = account;
  async function attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      throw explain(error);
    } finally {
      void refresh();
    }
  }
  const send = (kind: LinkKind, to: string) =>
    attempt(async () => {
      await sendLink(api, scope, kind, to);
      notify({ kind: 'done', text: t('password.sent', { email: to }) });
    });
  return (
    <>
      {email !== undefined && (
        <>
          <Button variant="outlined" onClick={() => setIsSetting(true)}>
            {t('password.set')}
          </Button>
          <ActionButton variant="outlined" act={() => send('PASSWORD_RESET', email)}>
            {t('password.send')}
          </ActionButton>
          <ActionButton
            variant="outlined"
            act={() => attempt(async () => setLink(await createLink(api, scope, 'PASSWORD_RESET', email)))}
          >
            {t('password.link')}
          </ActionButton>
          {!emailVerified && (
            <ActionButton variant="outlined" act={() => send('VERIFY_EMAIL', email)}>
              {t('password.verify')}
            </ActionButton>
          )}
        </>
      )}
      {isSetting && <SetPasswordDialog uid={account.localId} close={() => setIsSetting(false)} />}
      {link !== undefined && <LinkDialog link={link} close={() => setLink(undefined)} />}
    </>
  );
}
