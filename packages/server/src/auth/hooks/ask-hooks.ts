import type { RecordStoreView } from '../../records/store.ts';
import { AuthApiError, AuthOverload } from '../errors.ts';
import type { HookEvent } from '../projects/hook-settings.ts';
import type { AuthRequest } from '../request.ts';
import { isMember } from '../roles/member-store.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { type HookChanges, NO_CHANGES, readHookAnswer } from './hook-answer.ts';
import { HookFailure } from './hook-caller.ts';
import { type AccountSubject, hookEventClaims, type MessageSubject } from './hook-event.ts';

/** Sign-in methods about which functions do not decide, as in the official service. */
const EXEMPT: ReadonlySet<string> = new Set(['anonymous', 'custom']);
/**
 * Maximum number of attempts. Two functions need three; more are needed only if the account is created or deleted in the
 * meantime.
 */
const MAX_ATTEMPTS = 5;
const RETRY_AFTER_SEC = 1;

/**
 * Returns the decision of the function of an event. Throws within a transaction if the function was not asked yet:
 * the transaction then runs again after its answer.
 */
export type AskHook = (view: RecordStoreView, subject: AccountSubject) => HookChanges;

/** Thrown to end a transaction that needs the answer of a function. */
class AnswerNeeded extends Error {
  readonly subject: AccountSubject;

  constructor(subject: AccountSubject) {
    super('Bug: a transaction that needs a function was not run again.');
    this.subject = subject;
  }
}

/**
 * Runs a transaction of a sign-in that may need the answers of functions. A transaction cannot wait. So it stops without
 * any effect where it needs an answer, the function is asked, and the transaction runs again from its start. Members of
 * the project are exempt: a broken function must not lock them out of the console.
 */
export async function withHooks<T>(
  call: AuthRequest,
  services: AuthServices,
  run: (ask: AskHook) => Promise<T>,
): Promise<T> {
  const { hooks } = call.project.settings;
  const answers = new Map<string, HookChanges>();
  const ask: AskHook = (view, subject) => {
    const { event, account, signInClaims } = subject;
    if (hooks[event] === undefined || EXEMPT.has(signInClaims.provider)) return NO_CHANGES;
    if (isMember(view, call.project.scope, account.uid)) return NO_CHANGES;
    const answer = answers.get(keyOf(event, account.uid));
    if (answer === undefined) throw new AnswerNeeded(subject);
    return answer;
  };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    try {
      return await run(ask);
    } catch (error) {
      if (!(error instanceof AnswerNeeded)) throw error;
      const { event, account } = error.subject;
      answers.set(keyOf(event, account.uid), await callHook(call, services, error.subject));
    }
  }
  throw new AuthOverload(RETRY_AFTER_SEC);
}

function keyOf(event: HookEvent, uid: string): string {
  return `${event} ${uid}`;
}

/**
 * Asks the function of a project whether a message may be sent. Throws its error, or `BLOCKING_FUNCTION_ERROR_RESPONSE` if the
 * function fails, unless the project sends messages then. Messages that administrators request need no function.
 */
export async function requireMessagePermitted(
  call: AuthRequest,
  services: AuthServices,
  subject: MessageSubject,
): Promise<void> {
  const hook = call.project.settings.hooks[subject.event];
  if (hook === undefined || call.caller.kind === 'admin') return;
  const audit = (result: string): void =>
    recordAudit(services, call, 'message_blocked', null, { result, detail: subject.event });
  try {
    await callHook(call, services, subject);
  } catch (error) {
    if (!(error instanceof AuthApiError)) throw error;
    if (error instanceof HookFailure && hook.failsOpen === true) {
      audit('sent');
      return;
    }
    audit(error.code);
    throw error;
  }
}

async function callHook(
  call: AuthRequest,
  services: AuthServices,
  subject: AccountSubject | MessageSubject,
): Promise<HookChanges> {
  const hook = call.project.settings.hooks[subject.event];
  if (hook === undefined) return NO_CHANGES;
  const jwt = await services.idTokens.sign(hookEventClaims(call, services, hook, subject));
  const cause = { projectId: call.project.id, event: subject.event, network: call.client.network };
  return readHookAnswer(await services.hooks.call(cause, hook, jwt), subject.event);
}
