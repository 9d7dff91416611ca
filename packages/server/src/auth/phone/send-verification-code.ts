import type { JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import {
  issuePhoneCode,
  requireMessageAllowed,
  requirePhoneEnabled,
  requirePhoneNumber,
} from './issue-phone-code.ts';
import { requireSmsAccepted } from './queue-sms.ts';

/**
 * `accounts:sendVerificationCode`: sends a code to a phone number. The response does not depend on whether an account
 * has the number. If the SMS service rejects the number immediately, the response is an error.
 */
export async function sendVerificationCode(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { project, fields } = call;
  requirePhoneEnabled(project);
  const request = {
    phoneNumber: requirePhoneNumber(fields),
    purpose: { kind: 'sign-in' },
    app: fields,
    isProven: false,
  } as const;
  const isProven = await requireMessageAllowed(call, services, request);
  const sessionInfo = await services.recordStore.change((transaction) =>
    issuePhoneCode(transaction, call, services, { ...request, isProven }),
  );
  await requireSmsAccepted(call, services);
  return { sessionInfo };
}
