import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '../../elements/action-button.tsx';
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
      throw explain(error);
    } finally {
      void refresh();
    }
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
          <ActionButton variant="outlined" act={() => send('PASSWORD_RESET', email)}>
            {t('password.send')}
          </ActionButton>
          <ActionButton
            variant="outlined"
            act={() => attempt(async () => setLink(await makeLink(api, project, 'PASSWORD_RESET', email)))}
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
