import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { CodeText } from '../../elements/code-text.tsx';
import { CopyButton } from '../../elements/copy-button.tsx';
import type { Account } from '../../server/accounts.ts';
import { providersOf } from './account-name.ts';
import { printTime } from './print-date.ts';
import { ProviderNames } from './provider-names.tsx';

/** What is known of an account at a glance. */
export function AccountHead({ account }: { readonly account: Account }) {
  const { t, i18n } = useTranslation('accounts');
  const { localId, disabled = false, createdAt, lastLoginAt } = account;
  const providers = providersOf(account);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 3, rowGap: 0.5 }}>
      {disabled && <Chip color="error" size="small" label={t('state.disabled')} />}
      <Fact label={t('column.uid')}>
        <CodeText>{localId}</CodeText>
        <CopyButton text={localId} label={t('copyUid')} />
      </Fact>
      {providers.length > 0 && (
        <Fact label={t('column.providers')}>
          <ProviderNames ids={providers} />
        </Fact>
      )}
      <Fact label={t('column.created')}>{printTime(createdAt, i18n.language)}</Fact>
      <Fact label={t('column.seen')}>
        {lastLoginAt === undefined ? t('never') : printTime(lastLoginAt, i18n.language)}
      </Fact>
    </Box>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <Typography component="div" variant="body2">
      <Box component="span" sx={{ color: 'text.secondary', marginInlineEnd: 0.75 }}>
        {label}
      </Box>
      {children}
    </Typography>
  );
}
