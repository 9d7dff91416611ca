import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, sendAnswer } from '../answer.ts';
import { jsonAnswer } from '../api-request.ts';
import { SECRET_HEADERS } from '../common-headers.ts';
import { isForm, parseFields } from '../identity/request-fields.ts';
import type { OwnerSetup } from '../owner-setup.ts';
import { bodyOf, decodeBody, readBodyBytes } from '../request-body.ts';
import { nameRequest, requestSource } from '../request-source.ts';

const MAX_BODY_BYTES = 16_384;

/**
 * `POST /api/owner` with `token`, `project`, `email` and `password`, as JSON or from the form of the page, which leads on to
 * the console.
 */
export async function answerOwner(
  request: IncomingMessage,
  response: ServerResponse,
  setUp: OwnerSetup,
  address: string,
): Promise<void> {
  const body = await readBodyBytes(bodyOf(request), MAX_BODY_BYTES);
  const fields = parseFields(request, new URLSearchParams(), body);
  const owner = await setUp(fields, requestSource(request, address));
  const answer = isForm(request, decodeBody(body)) ? leadTo(owner.projectId) : jsonAnswer(owner);
  return sendAnswer(request, response, answer, nameRequest(SECRET_HEADERS, request));
}

/** A browser asks there with GET. */
function leadTo(project: string): Answer {
  return {
    status: 303,
    headers: { location: `/console/?project=${encodeURIComponent(project)}` },
    body: null,
  };
}
