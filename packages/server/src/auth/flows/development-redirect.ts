import { AuthApiError, AuthOverload } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { CHALLENGE } from './app-secret.ts';
import { returnAddress } from './redirect-codes.ts';
import { findAppUrl } from './start-request.ts';

const BUSY_SEC = 5;

/**
 * `POST /__/auth/redirect-event`, only in development mode: returns the address at which the app gets the event of a
 * redirect. The event comes from the page that takes the place of the provider. Throws `OPERATION_NOT_ALLOWED` in other
 * modes, and `UNAUTHORIZED_DOMAIN` if the address is not that of an app.
 */
export async function createRedirectCode(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { project, caller, client, fields } = call;
  if (!services.isDevelopment) throw new AuthApiError('OPERATION_NOT_ALLOWED');
  const challenge = fields.filled('challenge') ?? '';
  const event = fields.find('event');
  if (caller.kind !== 'app' || !CHALLENGE.test(challenge) || !isJsonObject(event))
    throw new AuthApiError('INVALID_ARGUMENT', '"challenge" and "event" are those of a redirect.');
  const url = findAppUrl(fields.filled('redirectUrl') ?? '', project, services);
  if (url === undefined) throw new AuthApiError('UNAUTHORIZED_DOMAIN');
  const { apiKey } = caller;
  const value = { projectId: project.id, apiKey, appOrigin: url.origin, challenge, event };
  const code = services.providers.redirectCodes.add(value, client.network);
  if (code === undefined) throw new AuthOverload(BUSY_SEC);
  return { address: returnAddress(url.href, code, challenge) };
}
