import { Refusal } from '@hearth/core/fault/refusal.ts';
import { isNestedDeeperThan } from '@hearth/core/wire/nesting.ts';
import { type Fields, isFields } from '@hearth/core/wire/up.ts';
import { GUEST } from '../../identity/identity.ts';
import type { Credential } from '../../identity/verifier.ts';
import type { Action } from '../action.ts';

/** Deepest identity that somebody may have, so that it can be kept and answered with. */
const MAX_LEVELS = 32;

/** `auth` and `gauth` carry any kind of credential: clients choose between them by looks. */
export function parseCredential(body: Fields): Credential | Refusal {
  const token = body['cred'];
  if (typeof token !== 'string') return new Refusal('auth/unreadable');
  if (body['noauth'] === true) return { token, override: null };
  const override = body['authvar'];
  if (override === undefined) return { token };
  if (isNestedDeeperThan(override, MAX_LEVELS))
    return new Refusal(
      'request/malformed',
      `The member "authvar" is nested deeper than ${MAX_LEVELS} levels.`,
    );
  if (override === null || isFields(override)) return { token, override };
  return new Refusal('auth/unreadable', 'The member "authvar" is an object or null.');
}

/** Becomes nobody. */
export const unauthenticate: Action = (session, turn) => {
  session.changeIdentity(turn, GUEST);
  return '"unauthenticated"';
};
