import Alert from '@mui/material/Alert';
import { useTranslation } from 'react-i18next';
import { useAccountRights } from './use-account-rights.ts';

/** Says why an account cannot be changed that is a member's. */
export function MemberNote({ uid }: { readonly uid: string }) {
  const { t } = useTranslation('accounts');
  const { isForOwners } = useAccountRights(uid);
  return isForOwners && <Alert severity="info">{t('ofMember')}</Alert>;
}
