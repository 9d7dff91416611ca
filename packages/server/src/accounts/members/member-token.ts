/** Tells an ID token with which a member asks as an administrator from one with which the same person uses the app. */
const PREFIX = 'member.';

export function isMemberToken(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** The ID token in the token of a member. */
export function idTokenOf(token: string): string {
  return token.slice(PREFIX.length);
}
