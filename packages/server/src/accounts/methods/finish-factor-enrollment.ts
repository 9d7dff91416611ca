import { accountsBook, saveAccount } from '../account-book.ts';
import { mustFindHolder, mustVerifyToken } from '../caller-account.ts';
import { mailSecondFactor } from '../codes/mail-second-factor.ts';
import { factsOfToken } from '../facts-of-token.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import { randomId } from '../random-id.ts';
import { mustBeOffered } from '../second-factor/is-offered.ts';
import { mustAllowEnrollment } from '../second-factor/must-allow-enrollment.ts';
import { mustAskForKind } from '../second-factor/must-ask-for-kind.ts';
import { parseFactorName } from '../second-factor/parse-factor-name.ts';
import { withNewFactor } from '../second-factor/with-factor.ts';
import { startSession } from '../start-session.ts';
import { tellAudit } from '../tell-audit.ts';
import { tokensOfSession } from '../tokens-of-session.ts';

const ID_LENGTH = 28;

/**
 * `mfaEnrollment:finalize`: a second factor that its owner has just shown to work. Answers with tokens of a session that
 * began with it; sessions from before go on.
 */
export async function finishFactorEnrollment(
  call: IdentityCall,
  services: IdentityServices,
): Promise<JsonObject> {
  const { project, fields } = call;
  const { kind, block } = mustAskForKind(fields, 'finish', project.settings);
  const displayName = parseFactorName(fields);
  const token = await mustVerifyToken(call, services);
  const enrollmentId = randomId(ID_LENGTH, services.randomBytes);
  const { account, session, answer } = await services.books.change((turn) => {
    const { nowMs } = turn;
    const book = turn.book(accountsBook(project.id));
    const before = mustFindHolder(book, token);
    mustBeOffered(turn, kind, project, before.uid);
    mustAllowEnrollment(before, token, kind, nowMs);
    const enrolled = kind.finishEnrollment({ project, services, account: before, nowMs }, block, {
      enrollmentId,
      displayName,
      enrolledAtMs: nowMs,
    });
    const after = withNewFactor(before, enrolled.factor);
    saveAccount(book, before, after);
    mailSecondFactor(turn, call, services, after, enrollmentId);
    const facts = { ...factsOfToken(book, token), secondFactor: { kind: kind.name, enrollmentId } };
    const begun = startSession(book, call, services, after.uid, facts, nowMs);
    return { account: after, session: begun, answer: enrolled.answer };
  });
  tellAudit(services, call, 'second_factor_added', account.uid, { detail: kind.name });
  const { idToken, refreshToken } = await tokensOfSession(services, project, account, session);
  return { idToken, refreshToken, ...answer };
}
