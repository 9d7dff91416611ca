import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Account } from '../../../api/accounts.ts';
import { ChoiceButtons } from '../../../ui/choice-buttons.tsx';
import { CodeText, showControls, UntrustedText } from '../../../ui/text.tsx';
import { AccountField } from '../../rules/simulator/auth-field.tsx';
import { type ImpersonatedPrincipal, MAX_CLAIMS, parseClaims } from './model.ts';

/** Shows the name, the user ID and the custom claims of an account. */
export function AccountSummary({ account }: { readonly account: Account }) {
  const { t } = useTranslation('data');
  const { localId, email, displayName, customAttributes, disabled } = account;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 0.5, minWidth: 0 }}>
      <Typography component="div">
        <UntrustedText text={email ?? displayName ?? localId} />
        {disabled === true && ` · ${t('actAs.disabled')}`}
      </Typography>
      <Typography component="div" variant="body2" color="textSecondary">
        <UntrustedText isCode text={localId} />
      </Typography>
      <Typography component="div" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
        {customAttributes === undefined || customAttributes === '{}' ? (
          t('actAs.noOwnClaims')
        ) : (
          <>
            {t('actAs.ownClaims')} <CodeText>{showControls(customAttributes)}</CodeText>
          </>
        )}
      </Typography>
    </Box>
  );
}

interface ChooseDialogProps {
  /** The current principal; `null` without impersonation. */
  readonly chosen: ImpersonatedPrincipal | null;
  readonly choose: (impersonated: ImpersonatedPrincipal) => void;
  readonly close: () => void;
}

const KINDS = ['nobody', 'account', 'claims'] as const;
const EXAMPLE = JSON.stringify({ uid: 'alice', provider: 'password', token: { admin: true } }, null, 2);

/** Asks which principal to impersonate. */
export function ChooseDialog({ chosen, choose, close }: ChooseDialogProps) {
  const { t, i18n } = useTranslation('data');
  const titleId = useId();
  const [kind, setKind] = useState<ImpersonatedPrincipal['kind']>(chosen?.kind ?? 'account');
  const [account, setAccount] = useState<Account | null>(null);
  const [claims, setClaims] = useState(
    chosen?.kind === 'claims' ? JSON.stringify(chosen.auth, null, 2) : EXAMPLE,
  );
  const impersonated = impersonatedOf(kind, account, claims);
  return (
    <Dialog open onClose={close} aria-labelledby={titleId} maxWidth="sm" fullWidth>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (impersonated === undefined) return;
          choose(impersonated);
          close();
        }}
      >
        <DialogTitle id={titleId}>{t('actAs.choose')}</DialogTitle>
        <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
          <Typography>{t('actAs.about')}</Typography>
          <ChoiceButtons
            label={t('actAs.who')}
            chosen={kind}
            choices={KINDS.map((id) => ({ id, title: t(`actAs.kinds.${id}`) }))}
            choose={setKind}
          />
          {kind === 'nobody' && <Typography color="textSecondary">{t('actAs.nobodyHint')}</Typography>}
          {kind === 'account' && (
            <>
              <AccountField choose={setAccount} />
              {account !== null && <AccountSummary account={account} />}
            </>
          )}
          {kind === 'claims' && (
            <TextField
              multiline
              minRows={4}
              maxRows={12}
              label={t('actAs.claims')}
              value={claims}
              error={impersonated === undefined}
              helperText={t(impersonated === undefined ? 'actAs.noClaims' : 'actAs.claimsHint', {
                number: MAX_CLAIMS.toLocaleString(i18n.language),
              })}
              onChange={({ target }) => setClaims(target.value)}
              slotProps={{
                htmlInput: { dir: 'ltr', spellCheck: false, style: { fontFamily: MONOSPACE, fontSize: 13 } },
              }}
            />
          )}
          <Alert severity="info">{t('actAs.limits')}</Alert>
        </DialogContent>
        <DialogActions>
          <Button onClick={close}>{t('edit.cancel')}</Button>
          <Button type="submit" variant="contained" disabled={impersonated === undefined}>
            {t('actAs.action')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function impersonatedOf(
  kind: ImpersonatedPrincipal['kind'],
  account: Account | null,
  claims: string,
): ImpersonatedPrincipal | undefined {
  switch (kind) {
    case 'nobody':
      return { kind };
    case 'account':
      return account === null ? undefined : { kind, uid: account.localId };
    case 'claims': {
      const auth = parseClaims(claims);
      return auth && { kind, auth };
    }
    default:
      return kind satisfies never;
  }
}
