import { Refusal } from '@hearth/core/fault/refusal.ts';
import { IdentityError } from '../../accounts/identity-error.ts';

/** A refusal of somebody who claims to be an administrator in the words of this interface; anything else as it is. */
export function asIdentityError(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  switch (error.code) {
    case 'auth/admin-only':
      return new IdentityError('UNAUTHENTICATED', undefined, { cause: error });
    case 'auth/unreadable':
    case 'auth/expired':
      return new IdentityError('UNAUTHENTICATED', error.message, { cause: error });
    case 'member/unknown':
    case 'member/second-factor':
      return new IdentityError('PERMISSION_DENIED', error.message, { cause: error });
    default:
      return error;
  }
}
