import { setTimeout } from 'node:timers/promises';
import type { BooksTurn } from '../../books/books.ts';
import { MAX_WAITING } from '../../mail/outbox.ts';
import { accountsBook, findAccountByEmail } from '../account-book.ts';
import { mailAccount } from '../codes/account-mail.ts';
import { type ActionSettings, readActionSettings } from '../codes/action-settings.ts';
import type { CodePurpose } from '../codes/code-purpose.ts';
import { type CodeWish, keepsSecret, READ_WISH } from '../codes/code-wish.ts';
import { type IssuedCode, issueCode, tooManyMails } from '../codes/issue-code.ts';
import { mustReadRequestType, type RequestType } from '../codes/request-type.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { mustSpareMembers } from '../members/must-spare-members.ts';

const KIND = 'identitytoolkit#GetOobConfirmationCodeResponse';

/** An answer that is to tell nothing takes as long as this: much longer than queuing a mail. */
const FLOOR_MS = 100;

interface Request {
  readonly type: RequestType;
  readonly settings: ActionSettings;
  /** Is the link to be answered, and no mail sent? */
  readonly isLinkAnswered: boolean;
}

interface Outcome {
  /** What the answer calls the account. */
  readonly email: string;
  /** `undefined` when a code was only pretended. */
  readonly issued: IssuedCode | undefined;
}

/** `accounts:sendOobCode`: a mail with a code, or for administrators the link that the mail would have. */
export async function sendOobCode(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const request = readRequest(call);
  const { type, isLinkAnswered } = request;
  const wish = await READ_WISH[type](call, services);
  if (!isLinkAnswered) mustHaveRoom(services);
  if (call.caller.kind === 'app') services.throttle.mustAllowMail(call);
  const isSecret = keepsSecret(call) && type !== 'VERIFY_EMAIL';
  const startedAtMs = services.clock.elapsedMs();
  const { email, issued } = await services.books.change((turn) => grant(turn, call, services, wish, request));
  if (isSecret) await setTimeout(Math.max(0, startedAtMs + FLOOR_MS - services.clock.elapsedMs()));
  if (issued?.kind === 'limited' && !isSecret) throw limitOf(type);
  if (!isLinkAnswered || issued?.kind !== 'issued') return { kind: KIND, email };
  return { kind: KIND, email, oobCode: issued.code, oobLink: issued.link };
}

function readRequest({ fields, caller, project }: IdentityCall): Request {
  const type = mustReadRequestType(fields);
  const isLinkAnswered = fields.flag('returnOobLink') === true;
  if (isLinkAnswered && caller.kind !== 'admin') throw new IdentityError('INSUFFICIENT_PERMISSION');
  return { type, settings: readActionSettings(fields, project.settings), isLinkAnswered };
}

/** Asked before it is known whether there will be a mail, or the refusal would tell. */
function mustHaveRoom({ outbox }: IdentityServices): void {
  if (outbox.status().waiting >= MAX_WAITING) throw tooManyMails();
}

function grant(
  turn: BooksTurn,
  call: IdentityCall,
  services: IdentityServices,
  wish: CodeWish,
  { settings, isLinkAnswered }: Request,
): Outcome {
  const book = turn.book(accountsBook(call.project.id));
  const decision = wish(book, turn.nowMs);
  switch (decision.kind) {
    case 'issue': {
      const { purpose, displayName } = decision;
      if (isLinkAnswered) mustSpareMeant(turn, call, purpose);
      const delivery = isLinkAnswered ? 'answer' : 'mail';
      const issued = issueCode(turn, call, services, { purpose, displayName, settings, delivery });
      return { email: purpose.email, issued };
    }
    case 'pretend':
      // A change that writes nothing would be over sooner.
      book.write(['pretendedAtMs'], turn.nowMs);
      return { email: decision.email, issued: undefined };
    case 'warn': {
      const { email, owner } = decision;
      mailAccount(turn, call, services, { to: owner, occasion: { kind: 'emailInUse', email: owner } });
      return { email, issued: undefined };
    }
    default:
      return decision satisfies never;
  }
}

/** Who is answered the link could use it in the place of whom it is for. */
function mustSpareMeant(turn: BooksTurn, call: IdentityCall, purpose: CodePurpose): void {
  const uid =
    purpose.kind === 'EMAIL_SIGNIN'
      ? findAccountByEmail(turn.book(accountsBook(call.project.id)), purpose.email)?.uid
      : purpose.uid;
  if (uid !== undefined) mustSpareMembers(turn, call, uid);
}

function limitOf(type: RequestType): IdentityError {
  return type === 'PASSWORD_RESET'
    ? new IdentityError('RESET_PASSWORD_EXCEED_LIMIT')
    : new IdentityError('TOO_MANY_ATTEMPTS_TRY_LATER', 'Too many mails of this kind. Try again later.');
}
