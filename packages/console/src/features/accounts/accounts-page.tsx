import { useParams } from 'react-router';
import { AccountListPage } from './account-list-page.tsx';
import { AccountPage } from './account-page.tsx';

/** The accounts of the project, or the one of the address. */
export function AccountsPage() {
  const { uid } = useParams();
  return uid === undefined ? <AccountListPage /> : <AccountPage key={uid} uid={uid} />;
}
