import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { accountsAddress } from '../../../session/addresses.ts';
import { Page } from '../../../ui/page.tsx';
import { EmptyState, Loaded } from '../../../ui/states.tsx';
import { showControls } from '../../../ui/text.tsx';
import { accountName } from '../account-text.tsx';
import { useAccount, useAccountRights, useAccountScope } from '../use-accounts.ts';
import { AccountActions, AccountHead } from './account-head.tsx';
import { AccountLinks } from './account-links.tsx';
import { ClaimsCard } from './claims-card.tsx';
import { FactorsCard } from './factors-card.tsx';
import { HistoryCard } from './history-card.tsx';
import { MergeButton } from './merge-dialog.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { SignInCard } from './sign-in-card.tsx';
import { SignInsCard } from './sign-ins-card.tsx';

/** If the account belongs to a member and the user is an editor, explains that only owners can change it. */
function MemberNotice({ uid }: { readonly uid: string }) {
  const { t } = useTranslation('accounts');
  const { isForOwners } = useAccountRights(uid);
  return isForOwners && <Alert severity="info">{t('ofMember')}</Alert>;
}

/** The page of one account: profile, claims, sign-in methods, second factors, passkeys, sessions, sign-ins and history. */
export function AccountPage({ uid }: { readonly uid: string }) {
  const account = useAccount(uid);
  if (account.kind !== 'ready')
    return (
      <Page title={showControls(uid)}>
        <Loaded of={account}>{() => null}</Loaded>
      </Page>
    );
  const { data: found } = account;
  if (found === null) return <DeletedAccount uid={uid} />;
  return (
    <Page
      title={showControls(accountName(found))}
      actions={
        <>
          <MergeButton account={found} />
          <AccountActions account={found} />
        </>
      }
    >
      <AccountHead account={found} />
      <AccountLinks uid={uid} />
      <MemberNotice uid={uid} />
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' },
        }}
      >
        <Box sx={{ display: 'grid', gap: 2 }}>
          <ProfileCard account={found} />
          <ClaimsCard account={found} />
        </Box>
        <Box sx={{ display: 'grid', gap: 2 }}>
          <SignInCard account={found} />
          <FactorsCard account={found} />
          <PasskeysCard account={found} />
          <SessionsCard uid={uid} />
        </Box>
      </Box>
      <SignInsCard uid={uid} />
      <HistoryCard uid={uid} />
    </Page>
  );
}

/** Shown instead of an account that does not exist or was deleted. Its history remains visible. */
function DeletedAccount({ uid }: { readonly uid: string }) {
  const { t } = useTranslation('accounts');
  const scope = useAccountScope();
  return (
    <Page title={t('gone.title')}>
      <EmptyState
        title={showControls(uid)}
        action={
          <Button variant="contained" component={Link} to={accountsAddress(scope)}>
            {t('gone.back')}
          </Button>
        }
      >
        {t('gone.text')}
      </EmptyState>
      <HistoryCard uid={uid} />
    </Page>
  );
}
