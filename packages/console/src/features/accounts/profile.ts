import type { Account, AccountChange } from '../../server/accounts.ts';

/** What of an account is edited in its profile; empty texts stand for nothing. */
export interface Profile {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly displayName: string;
  readonly photoUrl: string;
  readonly phoneNumber: string;
}
export type ProfileField = keyof Profile;

const PROFILE_FIELDS = ['email', 'emailVerified', 'displayName', 'phoneNumber', 'photoUrl'] as const;

export function profileOf(account: Account): Profile {
  const { email = '', emailVerified = false, displayName = '', photoUrl = '', phoneNumber = '' } = account;
  return { email, emailVerified, displayName, photoUrl, phoneNumber };
}

/** The fields that are not the same. */
export function differences(a: Profile, b: Profile): readonly ProfileField[] {
  return PROFILE_FIELDS.filter((field) => a[field] !== b[field]);
}

/** What is left to be saved of a profile once some of it was: what was typed while that was under way. */
export function editsSince(edits: Partial<Profile>, saved: Partial<Profile>): Partial<Profile> {
  const left = PROFILE_FIELDS.filter((field) => edits[field] !== saved[field]);
  return Object.fromEntries(left.map((field) => [field, edits[field]]));
}

/** What a request says to give an account some fields of a profile. An address and a number are taken away by name. */
export function changeTo(profile: Profile, fields: readonly ProfileField[]): AccountChange {
  const takesEmail = fields.includes('email') && profile.email === '';
  const takesPhone = fields.includes('phoneNumber') && profile.phoneNumber === '';
  const given = fields.filter(
    (field) =>
      !(takesEmail && (field === 'email' || field === 'emailVerified')) &&
      !(takesPhone && field === 'phoneNumber'),
  );
  return {
    ...Object.fromEntries(given.map((field) => [field, profile[field]])),
    ...(takesEmail ? { deleteAttribute: ['EMAIL'] } : {}),
    ...(takesPhone ? { deleteProvider: ['phone'] } : {}),
  };
}
