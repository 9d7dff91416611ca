import { accountsBook } from '../account-book.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { mustSpareMembers } from '../members/must-spare-members.ts';
import { endSession, findSession, listSessions } from '../session-book.ts';
import { sessionsJson } from '../session-json.ts';
import { tellAudit } from '../tell-audit.ts';
import { mustFindAccount } from './must-find-account.ts';

/** `GET /v1/projects/{project}/accounts/{uid}/sessions`: where somebody is signed in, the last used first. */
export async function readSessions(call: IdentityCall, { books }: IdentityServices): Promise<JsonObject> {
  const sessions = books.read((view) => {
    const book = view.book(accountsBook(call.project.id));
    return listSessions(book, mustFindAccount(book, call.segments['uid'] ?? '').uid);
  });
  return { sessions: sessionsJson(sessions) };
}

/** `DELETE /v1/projects/{project}/accounts/{uid}/sessions/{session}`: no token comes of it any more. */
export async function revokeSession(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { uid = '', session: id = '' } = call.segments;
  await services.books.change((turn) => {
    const book = turn.book(accountsBook(call.project.id));
    const session = findSession(book, id);
    if (session?.uid !== uid) throw new IdentityError('NOT_FOUND', 'The account has no such session.');
    mustSpareMembers(turn, call, uid);
    endSession(book, uid, id);
  });
  tellAudit(services, call, 'session_revoked', uid);
  return {};
}
