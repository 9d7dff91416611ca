import { accountsBook } from '../account-book.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import { findCode } from './code-book.ts';
import type { RecentCode } from './recent-codes.ts';

/** `GET /emulator/v1/projects/{project}/oobCodes`: the codes that were not used yet, the oldest first. Development mode only. */
export async function listRecentCodes(
  { project }: IdentityCall,
  { books, recentCodes }: IdentityServices,
): Promise<JsonObject> {
  const known = recentCodes?.list(project.id) ?? [];
  const waiting = books.read((view) => {
    const book = view.book(accountsBook(project.id));
    return known.filter(({ code }) => findCode(book, code) !== undefined);
  });
  return { oobCodes: waiting.map(codeJson) };
}

function codeJson({ code, link, purpose }: RecentCode): JsonObject {
  return {
    email: purpose.email,
    requestType: purpose.kind,
    oobCode: code,
    oobLink: link,
    ...(purpose.kind === 'VERIFY_AND_CHANGE_EMAIL' ? { newEmail: purpose.newEmail } : {}),
  };
}
