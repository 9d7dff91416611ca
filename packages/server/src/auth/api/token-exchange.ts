import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { withKnownRequestId } from '../../http/request-source.ts';
import type { Headers } from '../../http/response.ts';
import type { Fields, JsonObject } from '../fields.ts';
import type { ClientInfo } from '../request.ts';
import { TokenProblem } from '../tokens/jwt.ts';
import { type AuthApiBodies, parseFields } from './body.ts';
import { sendJson } from './error-response.ts';

/** Path where service accounts get access tokens. */
export const TOKEN_PATH = '/token';

/** Issues an access token for a request. Rejects with a `TokenProblem`. */
export type TokenExchange = (fields: Fields, client: ClientInfo) => Promise<JsonObject>;

const MAX_BODY_BYTES = 65_536;
/** Responses contain tokens and must not be cached. */
const HEADERS: Headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/**
 * Answers a request for an access token in the format of RFC 6749, including error responses. Rejects with
 * unexpected errors.
 */
export async function answerTokenExchange(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: TokenExchange,
  bodies: AuthApiBodies,
  client: ClientInfo,
): Promise<void> {
  try {
    if (request.method !== 'POST') throw new RequestError('http/method', 'This address supports only POST.');
    const body = await bodies.read(request, MAX_BODY_BYTES);
    const fields = parseFields(request, new URLSearchParams(), body);
    const json = await exchange(fields, client);
    sendJson(response, 200, json, withKnownRequestId(HEADERS, request));
  } catch (error) {
    const headers = withKnownRequestId(HEADERS, request);
    if (error instanceof TokenProblem)
      sendJson(response, 400, { error: error.code, error_description: error.detail ?? error.code }, headers);
    else if (error instanceof RequestError && error.spec.http < 500)
      sendJson(
        response,
        error.spec.http,
        { error: 'invalid_request', error_description: error.message },
        headers,
      );
    else throw error;
  }
}
