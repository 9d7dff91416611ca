import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { CodeText } from '../../../elements/code-text.tsx';
import { ForeignText } from '../../../elements/foreign-text.tsx';
import { showControls } from '../../../elements/show-controls.ts';
import type { Account } from '../../../server/accounts.ts';

/** Whom an account is of, and the claims that rules see of it. */
export function AccountSummary({ account }: { readonly account: Account }) {
  const { t } = useTranslation('data');
  const { localId, email, displayName, customAttributes, disabled } = account;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 0.5, minWidth: 0 }}>
      <Typography component="div">
        <ForeignText text={email ?? displayName ?? localId} />
        {disabled === true && ` · ${t('actAs.disabled')}`}
      </Typography>
      <Typography component="div" variant="body2" color="textSecondary">
        <ForeignText isCode text={localId} />
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
