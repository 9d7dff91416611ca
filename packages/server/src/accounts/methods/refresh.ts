import type { BookTurn, BookView } from '../../books/books.ts';
import { ID_TOKEN_LIFETIME_SEC } from '../../tokens/id-token.ts';
import type { Account } from '../account.ts';
import { accountsBook, findAccount, saveAccount } from '../account-book.ts';
import { deviceOf } from '../device.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import type { PresentedToken } from '../refresh-tokens.ts';
import type { Session } from '../session.ts';
import { endSession, findSession, saveSession } from '../session-book.ts';
import { tellAudit } from '../tell-audit.ts';
import { idTokenOfSession } from '../tokens-of-session.ts';
import { isOver, useRefreshToken } from '../use-refresh-token.ts';

/** The last use of a session is written down to the minute, so that most refreshes only read. */
const NOTED_EVERY_MS = 60_000;

type Refresh =
  /** `isNoted`: nothing of it needs to be written down. */
  | {
      readonly kind: 'refreshed';
      readonly account: Account;
      readonly session: Session;
      readonly isNoted: boolean;
    }
  /** The session ends, because its time is over or because a token was used that somebody else should have. */
  | { readonly kind: 'over' | 'reused'; readonly session: Session };

/** `token`: a refresh token for an ID token. */
export async function refresh(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { project } = call;
  services.throttle.mustAllowRequest(call);
  const token = mustParseToken(call, services);
  const name = accountsBook(project.id);
  const early = services.books.read((view) =>
    decideRefresh(view.book(name), token, call, services, services.clock.nowMs()),
  );
  const outcome =
    early.kind === 'refreshed' && early.isNoted
      ? early
      : await services.books.change((turn) => {
          const book = turn.book(name);
          const decided = decideRefresh(book, token, call, services, turn.nowMs);
          noteRefresh(book, decided, turn.nowMs);
          return decided;
        });
  if (outcome.kind !== 'refreshed') {
    const event = outcome.kind === 'over' ? 'session_ended' : 'refresh_reuse';
    tellAudit(services, call, event, outcome.session.uid, { result: 'TOKEN_EXPIRED' });
    throw new IdentityError('TOKEN_EXPIRED');
  }
  const { account, session } = outcome;
  const idToken = await idTokenOfSession(services, project, account, session);
  const isPresent = session.generation === token.generation;
  return {
    access_token: idToken,
    expires_in: String(ID_TOKEN_LIFETIME_SEC),
    token_type: 'Bearer',
    refresh_token: isPresent ? token.text : services.refreshTokens.encode(project.number, session),
    id_token: idToken,
    user_id: account.uid,
    project_id: project.number,
  };
}

function mustParseToken(
  { fields, project }: IdentityCall,
  { refreshTokens }: IdentityServices,
): PresentedToken {
  const grantType = fields.mustHave('grantType', 'MISSING_GRANT_TYPE');
  if (grantType !== 'refresh_token') throw new IdentityError('INVALID_GRANT_TYPE');
  const text = fields.mustHave('refreshToken', 'MISSING_REFRESH_TOKEN');
  const token = refreshTokens.parse(text);
  if (token === undefined) throw new IdentityError('INVALID_REFRESH_TOKEN');
  if (token.projectNumber !== project.number) throw new IdentityError('PROJECT_NUMBER_MISMATCH');
  return token;
}

/** What a refresh comes to, as the book shows it. Refuses tokens that are not genuine or of accounts that count no more. */
function decideRefresh(
  book: BookView,
  token: PresentedToken,
  { client, project }: IdentityCall,
  { refreshTokens }: IdentityServices,
  nowMs: number,
): Refresh {
  const session = findSession(book, token.sessionId);
  if (session === undefined || !refreshTokens.isGenuine(token, project.number, session))
    throw new IdentityError('TOKEN_EXPIRED');
  const account = findAccount(book, session.uid);
  if (account === undefined) throw new IdentityError('USER_NOT_FOUND');
  if (account.isDisabled) throw new IdentityError('USER_DISABLED');
  const limits = project.settings.session;
  const next = useRefreshToken(session, token, deviceOf(client), limits, nowMs);
  if (next === undefined) return { kind: isOver(session, limits, nowMs) ? 'over' : 'reused', session };
  const isNoted = next.generation === session.generation && nowMs - session.lastUsedAtMs < NOTED_EVERY_MS;
  return { kind: 'refreshed', account, session: next, isNoted };
}

function noteRefresh(book: BookTurn, outcome: Refresh, nowMs: number): void {
  const { session } = outcome;
  if (outcome.kind !== 'refreshed') {
    endSession(book, session.uid, session.id);
  } else if (!outcome.isNoted) {
    saveAccount(book, outcome.account, { ...outcome.account, lastRefreshAtMs: nowMs });
    saveSession(book, session);
  }
}
