import { Refusal } from '@hearth/core/fault/refusal.ts';
import { type Fields, isFields } from '@hearth/core/wire/up.ts';
import { GUEST } from '../../identity/identity.ts';
import type { Credential } from '../../identity/verifier.ts';
import type { Action } from '../action.ts';

/** `auth` and `gauth` carry any kind of credential: clients choose between them by looks. */
export function parseCredential(body: Fields): Credential | Refusal {
  const token = body['cred'];
  if (typeof token !== 'string') return new Refusal('auth/unreadable');
  if (body['noauth'] === true) return { token, override: null };
  const override = body['authvar'];
  if (override === undefined) return { token };
  if (override === null || isFields(override)) return { token, override };
  return new Refusal('auth/unreadable', 'The member "authvar" is an object or null.');
}

/** Becomes nobody. */
export const unauthenticate: Action = (session, turn) => {
  session.changeIdentity(turn, GUEST);
  return '"unauthenticated"';
};
