import { Refusal } from '@hearth/core/fault/refusal.ts';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { type Fields, isFields } from '@hearth/core/wire/up.ts';
import { GUEST } from '../../identity/identity.ts';
import { isTooDeep, MAX_IDENTITY_LEVELS } from '../../identity/is-too-deep.ts';
import type { Credential } from '../../identity/verifier.ts';
import type { Action } from '../action.ts';

/** Before the credential of an administrator: whom rules are to judge instead, as JSON in base64url. */
const STAND_IN = /^as\.([A-Za-z0-9_-]+)\./;

/** `auth` and `gauth` carry any kind of credential: clients choose between them by looks. */
export function parseCredential(body: Fields): Credential | Refusal {
  const token = body['cred'];
  if (typeof token !== 'string') return new Refusal('auth/unreadable');
  if (body['noauth'] === true) return { token, override: null };
  const override = body['authvar'];
  if (override !== undefined) return withOverride(token, override);
  const [prefix, encoded] = STAND_IN.exec(token) ?? [];
  return prefix === undefined || encoded === undefined
    ? { token }
    : withOverride(token.slice(prefix.length), decodeStandIn(encoded));
}

/** The official SDK has no `authvar` in browsers. Text that is no JSON is nobody's. */
function decodeStandIn(encoded: string): unknown {
  try {
    return parseJsonText(Buffer.from(encoded, 'base64url').toString());
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return encoded;
  }
}

function withOverride(token: string, override: unknown): Credential | Refusal {
  if (isTooDeep(override))
    return new Refusal(
      'request/malformed',
      `The member "authvar" is nested deeper than ${MAX_IDENTITY_LEVELS} levels.`,
    );
  if (override === null || isFields(override)) return { token, override };
  return new Refusal('auth/unreadable', 'Whom rules are to judge is an object or null.');
}

/** Becomes nobody. */
export const unauthenticate: Action = (session, turn) => {
  session.changeIdentity(turn, GUEST);
  return '"unauthenticated"';
};
