import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendAnswer } from '../answer.ts';
import { jsonAnswer } from '../api-request.ts';
import { SECRET_HEADERS } from '../common-headers.ts';
import { parseFields } from '../identity/request-fields.ts';
import type { OwnerSetup } from '../owner-setup.ts';
import { bodyOf, readBodyBytes } from '../request-body.ts';

const MAX_BODY_BYTES = 16_384;

/** `POST /api/owner` with `token`, `project`, `email` and `password`, as JSON or from the form of the page. */
export async function answerOwner(
  request: IncomingMessage,
  response: ServerResponse,
  setUp: OwnerSetup,
  address: string,
): Promise<void> {
  const body = await readBodyBytes(bodyOf(request), MAX_BODY_BYTES);
  const fields = parseFields(request, new URLSearchParams(), body);
  const client = { address, userAgent: request.headers['user-agent'] ?? '' };
  return sendAnswer(request, response, jsonAnswer(await setUp(fields, client)), SECRET_HEADERS);
}
