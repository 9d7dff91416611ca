import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Fields, JsonObject } from '../../accounts/fields.ts';
import type { ClientInfo } from '../../accounts/identity-call.ts';
import { TokenProblem } from '../../tokens/token-problem.ts';
import type { Headers } from '../answer.ts';
import { nameToldRequest } from '../request-source.ts';
import type { IdentityBodies } from './identity-bodies.ts';
import { parseFields } from './request-fields.ts';
import { sendJson } from './send-json.ts';

/** Where programs of a project's owner get access tokens. */
export const TOKEN_PATH = '/token';

/** Gives an access token for what a request shows. Rejects with a `TokenProblem`. */
export type TokenExchange = (fields: Fields, client: ClientInfo) => Promise<JsonObject>;

const MAX_BODY_BYTES = 65_536;
/** Nobody is to keep what is answered. */
const HEADERS: Headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** Answers a request for an access token, a refusal too, as RFC 6749 says. Rejects with what is no refusal. */
export async function answerTokenExchange(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: TokenExchange,
  bodies: IdentityBodies,
  client: ClientInfo,
): Promise<void> {
  try {
    if (request.method !== 'POST') throw new Refusal('http/method', 'There is POST at this address.');
    const body = await bodies.read(request, MAX_BODY_BYTES);
    const fields = parseFields(request, new URLSearchParams(), body);
    const json = await exchange(fields, client);
    sendJson(response, 200, json, nameToldRequest(HEADERS, request));
  } catch (error) {
    const headers = nameToldRequest(HEADERS, request);
    if (error instanceof TokenProblem)
      sendJson(response, 400, { error: error.code, error_description: error.detail ?? error.code }, headers);
    else if (error instanceof Refusal && error.spec.http < 500)
      sendJson(
        response,
        error.spec.http,
        { error: 'invalid_request', error_description: error.message },
        headers,
      );
    else throw error;
  }
}
