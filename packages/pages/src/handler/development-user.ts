import type { AuthEvent } from '../relay/auth-event.ts';
import type { DevelopmentUser, WaitingApp } from './parameters.ts';

/** Digits of the id of an invented user. */
const ID_DIGITS = 20;

/** Returns a user with an id that no other user has. */
export function inventUser(email: string, displayName: string): DevelopmentUser {
  const digits = crypto.getRandomValues(new Uint8Array(ID_DIGITS)).map((byte) => byte % 10);
  return { rawId: digits.join(''), email: email || null, displayName: displayName || null };
}

/**
 * Returns the event of a sign-in as a user. The token in it is not signed: it has the form that the official emulator
 * accepts, and that this server accepts in development mode.
 */
export function eventOf(app: WaitingApp, providerId: string, user: DevelopmentUser): AuthEvent {
  const claims = {
    sub: user.rawId,
    iss: '',
    aud: '',
    exp: 0,
    iat: 0,
    ...(user.displayName === null ? {} : { name: user.displayName }),
    ...(user.email === null ? {} : { email: user.email, email_verified: true }),
  };
  const answer = new URL(location.pathname, location.origin);
  answer.searchParams.set('providerId', providerId);
  answer.searchParams.set('id_token', JSON.stringify(claims));
  return { ...emptyEvent(app), urlResponse: answer.href, sessionId: 'development' };
}

/** Returns the event of a user who does not want to sign in. */
export function cancelledEvent(app: WaitingApp): AuthEvent {
  return {
    ...emptyEvent(app),
    error: { code: 'auth/user-cancelled', message: 'The user did not give the app access.' },
  };
}

function emptyEvent({ authType, eventId, tenantId }: WaitingApp): AuthEvent {
  return { type: authType, eventId, urlResponse: null, sessionId: null, postBody: null, tenantId };
}
