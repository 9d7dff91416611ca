import type { BooksTurn, BookView } from '../../records/store.ts';
import { type Account, nextValidSinceOf } from '../accounts/account.ts';
import { accountsBook, saveAccount } from '../accounts/account-store.ts';
import { isThere } from '../accounts/removal.ts';
import { updateByAdmin } from '../accounts/update-by-admin.ts';
import { updatedAccountJson } from '../accounts/user-json.ts';
import { applyCode } from '../codes/apply.ts';
import { mailOldAddress } from '../codes/issue.ts';
import { mailPasswordChanged } from '../codes/mails.ts';
import { IdentityError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { ProjectSettings } from '../projects/project.ts';
import type { IdentityCall } from '../request.ts';
import { type IdentityServices, tellAudit } from '../services.ts';
import type { VerifiedToken } from '../tokens/id-token.ts';
import { factsOfToken, isOfToken, mustBeRecent, mustFindHolder, mustVerifyToken } from './current-user.ts';
import {
  applyOwnChange,
  changesEmail,
  endsSessions,
  needsProof,
  type OwnChange,
  readOwnChange,
  removesEmail,
} from './profile-update.ts';
import type { Session } from './session.ts';
import { endSessions, startSession } from './session-store.ts';
import { tokensOfSession } from './session-tokens.ts';

/**
 * Throws if the address of an account may only be changed by a mail to the new address. If the project hides
 * which addresses have accounts, a direct change would reveal it. If the account has second factors, a mail to
 * the address could bypass them.
 */
export function mustAllowEmailChange(account: Account, { isEmailPrivate }: ProjectSettings): void {
  if (isEmailPrivate)
    throw new IdentityError('OPERATION_NOT_ALLOWED', 'Please verify the new email before changing email.');
  mustAllowEmailRemoval(account);
}

/** Throws if the account has second factors: without an address, the account could then get any other address. */
function mustAllowEmailRemoval({ factors }: Account): void {
  if (factors.length > 0) throw new IdentityError('EMAIL_CHANGE_NEEDS_VERIFICATION');
}

interface Outcome {
  readonly before: Account;
  readonly account: Account;
  /** The session that replaces the others if the change has ended all of them. */
  readonly session: Session | undefined;
}

/** `accounts:update` by the user to whom an ID token belongs. */
async function updateOwnAccount(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { settings, id } = call.project;
  const change = readOwnChange(call.fields, call.project);
  const token = await mustVerifyToken(call, services);
  services.throttle.mustAllowOwnChange(call, token.uid);
  if (change.password !== undefined) services.throttle.mustAllowNewPassword(call, token.uid);
  // Check first, because hashing is expensive.
  services.books.read((view) =>
    mustAllow(view.book(accountsBook(id)), token, change, settings, services.clock.nowMs()),
  );
  const passwordHash =
    change.password === undefined ? undefined : await services.passwords.hashEncoded(change.password);
  const outcome = await services.books.change((turn) =>
    changeAccount(turn, call, services, token, change, passwordHash),
  );
  tellChanges(call, services, outcome.before, change);
  return answer(call, services, outcome);
}

function changeAccount(
  turn: BooksTurn,
  call: IdentityCall,
  services: IdentityServices,
  token: VerifiedToken,
  change: OwnChange,
  passwordHash: JsonObject | undefined,
): Outcome {
  const book = turn.book(accountsBook(call.project.id));
  const before = mustAllow(book, token, change, call.project.settings, turn.nowMs);
  const validSinceSec = endsSessions(before, change)
    ? nextValidSinceOf(before, token, turn.nowMs)
    : before.validSinceSec;
  const account = applyOwnChange(before, change, passwordHash, { nowMs: turn.nowMs, validSinceSec });
  saveAccount(book, before, account);
  mailOldAddress(turn, call, services, before, account);
  if (passwordHash !== undefined && before.password !== null)
    mailPasswordChanged(turn, call, services, before);
  if (!endsSessions(before, change)) {
    // Clients that unlink ignore tokens in the response, so their own session remains.
    if (removesEmail(before, change))
      endSessions(book, account.uid, (session) => !isOfToken(session, before, token));
    return { before, account, session: undefined };
  }
  const facts = factsOfToken(book, token);
  const provider = facts.provider === 'anonymous' ? 'password' : facts.provider;
  endSessions(book, account.uid);
  const session = startSession(book, call, services, account.uid, { ...facts, provider }, turn.nowMs);
  return { before, account, session };
}

/** Returns the account if its user may make the change. Throws otherwise. */
function mustAllow(
  book: BookView,
  token: VerifiedToken,
  change: OwnChange,
  settings: ProjectSettings,
  nowMs: number,
): Account {
  const account = mustFindHolder(book, token);
  if (needsProof(account, change)) mustBeRecent(account, token, nowMs);
  if (changesEmail(account, change)) mustAllowEmailChange(account, settings);
  if (removesEmail(account, change)) mustAllowEmailRemoval(account);
  return account;
}

async function answer(
  { project }: IdentityCall,
  services: IdentityServices,
  { account, session }: Outcome,
): Promise<JsonObject> {
  const json = updatedAccountJson(account);
  if (session === undefined) return json;
  return { ...json, ...(await tokensOfSession(services, project, account, session)) };
}

function tellChanges(
  call: IdentityCall,
  services: IdentityServices,
  before: Account,
  change: OwnChange,
): void {
  if (changesEmail(before, change) || removesEmail(before, change))
    tellAudit(services, call, 'email_changed', before.uid);
  if (change.password !== undefined) tellAudit(services, call, 'password_changed', before.uid);
  for (const removal of change.removals.filter((one) => isThere(before, one)))
    tellAudit(services, call, 'unlinked', before.uid, {
      detail: removal.kind === 'provider' ? removal.providerId : removal.attribute,
    });
}

/**
 * `accounts:update`: changes an account by a code from a mail, by an administrator, or by the user to whom an
 * ID token belongs.
 */
export async function update(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { fields, caller } = call;
  if (fields.has('oobCode')) return applyCode(call, services);
  if (caller.kind === 'admin' && (fields.has('localId') || !fields.has('idToken')))
    return updateByAdmin(call, services);
  if (!fields.has('idToken')) throw new IdentityError('INVALID_REQ_TYPE', 'Unsupported request parameters.');
  return updateOwnAccount(call, services);
}
