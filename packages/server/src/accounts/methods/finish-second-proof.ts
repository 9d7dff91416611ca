import type { BooksTurn } from '../../books/books.ts';
import { accountsBook } from '../account-book.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import type { SecondProof } from '../second-factor/factor-kind.ts';
import {
  findTries,
  mustAllowTry,
  saveTries,
  withFinished,
  withWrongCode,
} from '../second-factor/factor-tries.ts';
import { mustBeOffered } from '../second-factor/is-offered.ts';
import { type AskedKind, mustAskForKind } from '../second-factor/must-ask-for-kind.ts';
import { mustFindFactor, mustNameFactor } from '../second-factor/must-find-factor.ts';
import { mustFindPending, mustParsePending } from '../second-factor/must-find-pending.ts';
import { noteWrongCode, removePending } from '../second-factor/pending-book.ts';
import { type Admission, admit } from '../sign-in/admit.ts';
import { tellAudit } from '../tell-audit.ts';
import { tokensOfSession } from '../tokens-of-session.ts';

/** A second proof of a sign-in. */
interface GivenProof extends AskedKind {
  readonly enrollmentId: string;
  /** Where the sign-in is kept. */
  readonly key: string;
}

type Outcome =
  | ({ readonly kind: 'signed-in'; readonly by: SecondProof['by'] } & Admission)
  /** Written down, unlike what is thrown. */
  | { readonly kind: 'wrong'; readonly uid: string };

/** `mfaSignIn:finalize`: the second proof, with which a sign-in that waited for it is complete. */
export async function finishSecondProof(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { project, fields } = call;
  const credential = fields.mustHave(
    'mfaPendingCredential',
    'MISSING_CREDENTIAL',
    'Please set MFA Pending Credential.',
  );
  const asked = mustAskForKind(fields, 'finish', project.settings);
  const enrollmentId = mustNameFactor(fields);
  const key = mustParsePending(credential, project);
  const outcome = await services.books.change((turn) =>
    decide(turn, call, services, { ...asked, enrollmentId, key }),
  );
  if (outcome.kind === 'wrong') {
    tellAudit(services, call, 'second_factor_failed', outcome.uid, { result: 'INVALID_CODE' });
    throw new IdentityError('INVALID_CODE');
  }
  const { account, session, by } = outcome;
  if (by === 'recovery-code')
    tellAudit(services, call, 'recovery_code_used', account.uid, {
      detail: `${account.recoveryCodes.length} left`,
    });
  tellAudit(services, call, 'sign_in', account.uid, { detail: `${session.provider}+${asked.kind.name}` });
  const { idToken, refreshToken } = await tokensOfSession(services, project, account, session);
  return { idToken, refreshToken };
}

function decide(
  turn: BooksTurn,
  call: IdentityCall,
  services: IdentityServices,
  { kind, block, enrollmentId, key }: GivenProof,
): Outcome {
  const { nowMs } = turn;
  const book = turn.book(accountsBook(call.project.id));
  const { found, account: before } = mustFindPending(book, key, nowMs);
  const { uid, pending } = found;
  mustBeOffered(turn, kind, call.project, uid);
  const tries = findTries(book, uid, nowMs);
  mustAllowTry(tries);
  const factor = mustFindFactor(before, enrollmentId);
  if (factor.kind !== kind.name) throw new IdentityError('MFA_ENROLLMENT_NOT_FOUND');
  const step = { project: call.project, services, account: before, nowMs };
  const proof = kind.finishSignIn(step, factor, block);
  if (proof === undefined) {
    saveTries(book, uid, withWrongCode(tries));
    noteWrongCode(book, key, found);
    return { kind: 'wrong', uid };
  }
  saveTries(book, uid, withFinished(tries));
  removePending(book, key, uid);
  const facts = { ...pending.facts, secondFactor: { kind: kind.name, enrollmentId } };
  const admission = admit(book, call, services, { before, account: proof.account, facts, nowMs });
  return { kind: 'signed-in', by: proof.by, ...admission };
}
