import { type Account, emptyAccount } from '../accounts/account.ts';
import { AuthApiError, AuthOverload } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { HOOK_EVENTS, type HookEvent } from '../projects/hook-settings.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { claimsForProvider } from '../sign-in/session.ts';
import { readHookAnswer } from './hook-answer.ts';
import { findJsonObject, HookUnreachable, TIMEOUT_MS } from './hook-caller.ts';
import { type AccountSubject, hookEventClaims, type MessageSubject } from './hook-event.ts';

/** The fictional user of a test. No account of a project has this name, and no mail server this domain. */
const TEST_UID = 'hearth-test';
const TEST_EMAIL = 'test@hearth.invalid';
/** A number that no telephone has. */
const TEST_NUMBER = '+12025550100';
/** Longest reason of a function that the result contains, in UTF-16 code units. */
const MAX_REASON_LENGTH = 500;

/** `allowed` and `rejected` are decisions of the function. `failed`: it did not decide. */
interface TestResult {
  readonly outcome: 'allowed' | 'rejected' | 'failed';
  /** The problem, or the reason of the function; `null` if there is none. */
  readonly message: string | null;
}

/**
 * `POST …/blockingFunctions/{event}:test`: calls the function of an event for a user who does not exist. Creates and
 * sends nothing, and does not count a failure. The result contains only what users of the app would get of the answer:
 * members must not read internal pages through it. Throws `CONFIGURATION_NOT_FOUND` if the project has no function for the
 * event.
 */
export async function testHook(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { project, segments, client } = call;
  services.throttle.requireAllowedInProject(project.id, 'configChanges');
  const event = HOOK_EVENTS.find((known) => known === segments['event']);
  const hook = event === undefined ? undefined : project.settings.hooks[event];
  if (event === undefined || hook === undefined) throw new AuthApiError('CONFIGURATION_NOT_FOUND');
  const jwt = await services.idTokens.sign(
    hookEventClaims(call, services, hook, subjectOf(event, services.clock.nowMs())),
  );
  const startedAtMs = services.clock.elapsedMs();
  const cause = { projectId: project.id, event, network: client.network };
  const result = await ask(services, cause, hook, jwt);
  return { ...result, durationMs: Math.round(services.clock.elapsedMs() - startedAtMs) };
}

async function ask(
  { hooks }: AuthServices,
  ...[cause, hook, jwt]: Parameters<AuthServices['hooks']['probe']>
): Promise<TestResult> {
  try {
    const { status, body } = await hooks.probe(cause, hook, jwt);
    const answer = findJsonObject(body);
    if (status === 200)
      return answer === undefined
        ? failed('The function answered with something else than a JSON object.')
        : readDecision(answer, cause.event);
    const reason = reasonOf(answer);
    const problem = `The function answered with status ${status}.`;
    if (status >= 400 && status < 500) return { outcome: 'rejected', message: reason ?? problem };
    return failed(reason === undefined ? problem : `${problem} It says: ${reason}`);
  } catch (error) {
    if (error instanceof AuthOverload || !(error instanceof HookUnreachable)) throw error;
    return failed(
      error.isLate ? `The function did not answer within ${TIMEOUT_MS / 1_000} s.` : error.message,
    );
  }
}

/** Returns what an answer decides. An answer that the server cannot use rejects every event. */
function readDecision(answer: JsonObject, event: HookEvent): TestResult {
  try {
    readHookAnswer(answer, event);
    return { outcome: 'allowed', message: null };
  } catch (error) {
    if (!(error instanceof AuthApiError)) throw error;
    return error.code === 'CAPTCHA_CHECK_FAILED'
      ? { outcome: 'rejected', message: error.message }
      : failed(error.message);
  }
}

/** Returns the reason in an answer, which the client of an event gets too. */
function reasonOf(answer: JsonObject | undefined): string | undefined {
  const { message } = Object(answer?.['error']);
  return typeof message === 'string' ? message.toWellFormed().slice(0, MAX_REASON_LENGTH) : undefined;
}

function failed(message: string): TestResult {
  return { outcome: 'failed', message };
}

function subjectOf(event: HookEvent, nowMs: number): AccountSubject | MessageSubject {
  switch (event) {
    case 'beforeCreate':
    case 'beforeSignIn': {
      const account: Account = { ...emptyAccount(TEST_UID, nowMs), email: TEST_EMAIL };
      return { event, account, signInClaims: claimsForProvider('password') };
    }
    case 'beforeSendEmail':
      return { event, email: TEST_EMAIL, emailType: 'PASSWORD_RESET' };
    case 'beforeSendSms':
      return { event, phoneNumber: TEST_NUMBER, smsType: 'SIGN_IN_OR_SIGN_UP' };
    default:
      return event satisfies never;
  }
}
