import { requireEmail } from '../accounts/field-parsers.ts';
import { AuthApiError } from '../errors.ts';
import { requireMessagePermitted } from '../hooks/ask-hooks.ts';
import { isConsoleKey } from '../projects/projects.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import type { CodePurpose } from './code.ts';

/**
 * Asks the function of the project about a mail that any client may request, whether or not the address has an account.
 * Throws the function's error to apps. Returns false to the console: a function that fails must not lock members out, and
 * an error to other users alone would reveal who is a member.
 */
export async function isMailPermitted(
  call: AuthRequest,
  services: AuthServices,
  type: CodePurpose['kind'],
): Promise<boolean> {
  if (type !== 'PASSWORD_RESET' && type !== 'EMAIL_SIGNIN') return true;
  const emailType = type === 'EMAIL_SIGNIN' ? 'EMAIL_SIGN_IN' : type;
  const subject = { event: 'beforeSendEmail', email: requireEmail(call.fields), emailType } as const;
  try {
    await requireMessagePermitted(call, services, subject);
    return true;
  } catch (error) {
    const isOfConsole = call.caller.kind === 'app' && isConsoleKey(call.caller.apiKey);
    if (!isOfConsole || !(error instanceof AuthApiError)) throw error;
    return false;
  }
}
