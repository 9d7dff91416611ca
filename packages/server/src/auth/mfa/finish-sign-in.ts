import type { BooksTurn, BookView } from '../../records/store.ts';
import type { Account } from '../accounts/account.ts';
import { accountsBook, findAccount } from '../accounts/account-store.ts';
import { IdentityError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { Project } from '../projects/project.ts';
import type { IdentityCall } from '../request.ts';
import { type IdentityServices, tellAudit } from '../services.ts';
import { type Admission, admit } from '../sign-in/complete-sign-in.ts';
import { tokensOfSession } from '../sign-in/session-tokens.ts';
import { findTries, mustAllowTry, saveTries, withFinished, withWrongCode } from './attempts.ts';
import { mustFindFactor, mustNameFactor, type SecondProof } from './factor.ts';
import { type AskedKind, mustAskForKind, SECOND_FACTORS } from './kinds.ts';
import {
  type FoundPending,
  findPending,
  noteWrongCode,
  parsePendingCredential,
  removePending,
} from './pending-sign-in.ts';
import { mustBeOffered } from './policy.ts';

/** A sign-in that waits for its second factor, and its account. */
export interface PendingAccount {
  readonly found: FoundPending;
  readonly account: Account;
}

/**
 * Returns the key of a pending sign-in. Throws `INVALID_PROJECT_ID` if the credential is for another project,
 * before anything is read.
 */
function mustParsePending(credential: string, project: Project): string {
  const handle = parsePendingCredential(credential);
  if (handle === undefined) throw new IdentityError('INVALID_MFA_PENDING_CREDENTIAL');
  if (handle.projectNumber !== project.number)
    throw new IdentityError('INVALID_PROJECT_ID', 'Project ID does not match MFA pending credential.');
  return handle.key;
}

/** Throws `INVALID_MFA_PENDING_CREDENTIAL` if the pending sign-in has expired, was completed or does not exist. */
function mustFindPending(book: BookView, key: string, nowMs: number): PendingAccount {
  const found = findPending(book, key, nowMs);
  const account = found === undefined ? undefined : findAccount(book, found.uid);
  if (found === undefined || account === undefined) throw new IdentityError('INVALID_MFA_PENDING_CREDENTIAL');
  if (account.isDisabled) throw new IdentityError('USER_DISABLED');
  return { found, account };
}

/** `mfaSignIn:start`: returns the data that the client needs to prove a second factor. */
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

/** The second step of a sign-in, as the client sends it. */
interface GivenProof extends AskedKind {
  readonly enrollmentId: string;
  /** The key under which the pending sign-in is stored. */
  readonly key: string;
}

type Outcome =
  | ({ readonly kind: 'signed-in'; readonly by: SecondProof['by'] } & Admission)
  /** A returned outcome and not a thrown error, so that the transaction commits the failed attempt. */
  | { readonly kind: 'wrong'; readonly uid: string };

/** `mfaSignIn:finalize`: verifies the second factor and completes a pending sign-in. */
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
