import { accountsBook } from '../account-book.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { mustBeOffered } from '../second-factor/is-offered.ts';
import { mustFindFactor, mustNameFactor } from '../second-factor/must-find-factor.ts';
import { mustFindPending, mustParsePending } from '../second-factor/must-find-pending.ts';
import { SECOND_FACTORS } from '../second-factor/second-factors.ts';

/** `mfaSignIn:start`: what a second factor needs from the server for its proof. */
export async function startSecondProof(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { project, fields } = call;
  const credential = fields.mustHave(
    'mfaPendingCredential',
    'MISSING_MFA_PENDING_CREDENTIAL',
    'Request does not have MFA pending credential.',
  );
  const enrollmentId = mustNameFactor(fields);
  const key = mustParsePending(credential, project);
  const nowMs = services.clock.nowMs();
  const { account } = services.books.read((view) =>
    mustFindPending(view.book(accountsBook(project.id)), key, nowMs),
  );
  const factor = mustFindFactor(account, enrollmentId);
  const kind = SECOND_FACTORS[factor.kind];
  services.books.read((view) => mustBeOffered(view, kind, project, account.uid));
  if (kind.startSignIn === null)
    throw new IdentityError('INVALID_ARGUMENT', 'This second factor has its code without a start.');
  return kind.startSignIn({ project, services, account, nowMs }, factor);
}
