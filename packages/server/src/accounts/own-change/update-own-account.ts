import type { BooksTurn, BookView } from '../../books/books.ts';
import type { VerifiedToken } from '../../tokens/verified-token.ts';
import type { Account } from '../account.ts';
import { accountsBook, saveAccount } from '../account-book.ts';
import { mustBeRecent, mustFindHolder, mustVerifyToken } from '../caller-account.ts';
import { mailOldAddress } from '../codes/mail-old-address.ts';
import { mailPasswordChanged } from '../codes/mail-password-changed.ts';
import { factsOfToken, isOfToken } from '../facts-of-token.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import { mustAllowEmailChange, mustAllowEmailRemoval } from '../must-allow-email-change.ts';
import { nextValidSinceOf } from '../next-valid-since.ts';
import type { ProjectSettings } from '../project-settings.ts';
import { isThere } from '../removal.ts';
import type { Session } from '../session.ts';
import { endSessions } from '../session-book.ts';
import { startSession } from '../start-session.ts';
import { tellAudit } from '../tell-audit.ts';
import { tokensOfSession } from '../tokens-of-session.ts';
import { updatedAccountJson } from '../updated-account-json.ts';
import { applyOwnChange, changesEmail, endsSessions, needsProof, removesEmail } from './apply-own-change.ts';
import { type OwnChange, readOwnChange } from './own-change.ts';

interface Outcome {
  readonly before: Account;
  readonly account: Account;
  /** The session that goes on, when the change has ended all others. */
  readonly session: Session | undefined;
}

/** `accounts:update` by the holder of an ID token. */
export async function updateOwnAccount(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { settings, id } = call.project;
  const change = readOwnChange(call.fields, call.project);
  const token = await mustVerifyToken(call, services);
  services.throttle.mustAllowOwnChange(call, token.uid);
  if (change.password !== undefined) services.throttle.mustAllowNewPassword(call, token.uid);
  // Hashing is worth its cost only for whom the change is allowed.
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
    // Clients that unlink do not look for tokens in the answer: their own session goes on.
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

/** The account, if its holder may change it in this way. */
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
