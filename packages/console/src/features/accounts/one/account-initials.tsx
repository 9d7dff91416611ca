import Avatar from '@mui/material/Avatar';
import type { Account } from '../../../api/accounts.ts';
import { accountName } from '../account-text.tsx';

/** Maximum number of letters. */
const MAX_INITIALS = 2;

/**
 * Returns the first letters of the first two words of a name. Of an email address, only the part before the `@` counts.
 * Empty for a name without letters and digits.
 */
export function initialsOf(name: string): string {
  const [local = ''] = name.split('@');
  const words = local.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu) ?? [];
  return words
    .slice(0, MAX_INITIALS)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase();
}

/**
 * Shows the initials of an account. The user of the account chose the host of the profile picture, so the console never
 * loads the picture: from the request, the host would learn when a member looks at the account, and the member's IP
 * address.
 */
export function AccountInitials({ account }: { readonly account: Account }) {
  const name =
    account.displayName === undefined || account.displayName === '' ? undefined : account.displayName;
  return (
    <Avatar
      aria-hidden
      sx={{ width: 40, height: 40, fontSize: '1rem', bgcolor: 'primary.main', color: 'primary.contrastText' }}
    >
      {initialsOf(name ?? accountName(account)) || '?'}
    </Avatar>
  );
}
