import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tell } from '../../notices/notices.ts';
import type { Account } from '../../server/accounts.ts';
import { type LinkKind, makeLink, sendLink } from '../../server/accounts-links.ts';
import { useApi, useProjectId } from '../../session/session.ts';
import { LinkDialog } from './link-dialog.tsx';
import { SetPasswordDialog } from './set-password-dialog.tsx';
import { useAccountActions } from './use-accounts.ts';
import { useExplained } from './use-explained.ts';

/** A new password, or a way for its owner to choose one. */
export function PasswordActions({ account }: { readonly account: Account }) {
  const { t } = useTranslation('accounts');
  const api = useApi();
  const project = useProjectId();
  const explain = useExplained();
  const { refresh } = useAccountActions();
  const [isSetting, setIsSetting] = useState(false);
  const [link, setLink] = useState<string>();
  const { email, emailVerified = false } = account;
  async function attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      const explained = explain(error);
      tell({ kind: 'failed', text: explained instanceof Error ? explained.message : String(explained) });
    }
    await refresh();
  }
  const send = (kind: LinkKind, to: string) =>
    attempt(async () => {
      await sendLink(api, project, kind, to);
      tell({ kind: 'done', text: t('password.sent', { email: to }) });
    });
  return (
    <>
      {email !== undefined && (
        <>
          <Button variant="outlined" onClick={() => setIsSetting(true)}>
            {t('password.set')}
          </Button>
          <Button variant="outlined" onClick={() => void send('PASSWORD_RESET', email)}>
            {t('password.send')}
          </Button>
          <Button
            variant="outlined"
            onClick={() =>
              void attempt(async () => setLink(await makeLink(api, project, 'PASSWORD_RESET', email)))
            }
          >
            {t('password.link')}
          </Button>
          {!emailVerified && (
            <Button variant="outlined" onClick={() => void send('VERIFY_EMAIL', email)}>
              {t('password.verify')}
            </Button>
          )}
        </>
      )}
      {isSetting && <SetPasswordDialog uid={account.localId} close={() => setIsSetting(false)} />}
      {link !== undefined && <LinkDialog link={link} close={() => setLink(undefined)} />}
    </>
  );
}
