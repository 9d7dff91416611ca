import { accountsBook } from '../account-book.ts';
import { mustBeRecent, mustFindHolder, mustVerifyToken } from '../caller-account.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { endSession, findSession, listSessions } from '../session-book.ts';
import { sessionsJson } from '../session-json.ts';
import { tellAudit } from '../tell-audit.ts';

/** `sessions:list`, which only Hearth has: where the holder of an ID token is signed in, the last used first. */
export async function listOwnSessions(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  services.throttle.mustAllowRequest(call);
  const token = await mustVerifyToken(call, services);
  const sessions = services.books.read((view) => {
    const book = view.book(accountsBook(call.project.id));
    return listSessions(book, mustFindHolder(book, token).uid);
  });
  return { sessions: sessionsJson(sessions) };
}

/**
 * `sessions:end`, which only Hearth has: ends the session `sessionId` of the holder of an ID token, for whoever has just
 * signed in. Else whoever has stolen a token would keep its owner out.
 */
export async function endOwnSession(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const id = call.fields.filled('sessionId');
  if (id === undefined) throw new IdentityError('INVALID_ARGUMENT', 'Name the session: "sessionId".');
  const token = await mustVerifyToken(call, services);
  await services.books.change((turn) => {
    const book = turn.book(accountsBook(call.project.id));
    const account = mustFindHolder(book, token);
    mustBeRecent(account, token, turn.nowMs);
    if (findSession(book, id)?.uid !== account.uid)
      throw new IdentityError('NOT_FOUND', 'The account has no such session.');
    endSession(book, account.uid, id);
  });
  tellAudit(services, call, 'session_revoked', token.uid);
  return {};
}
