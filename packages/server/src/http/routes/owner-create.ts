import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendAnswer } from '../answer.ts';
import { jsonAnswer } from '../api-request.ts';
import { SECRET_HEADERS } from '../common-headers.ts';
import { readFields } from '../identity/request-fields.ts';
import type { OwnerSetup } from '../owner-setup.ts';

const MAX_BODY_BYTES = 16_384;

/** `POST /api/owner` with `token`, `project`, `email` and `password`, as JSON or from the form of the page. */
export async function answerOwner(
  request: IncomingMessage,
  response: ServerResponse,
  setUp: OwnerSetup,
  address: string,
): Promise<void> {
  const fields = await readFields(request, new URLSearchParams(), MAX_BODY_BYTES);
  const client = { address, userAgent: request.headers['user-agent'] ?? '' };
  return sendAnswer(request, response, jsonAnswer(await setUp(fields, client)), SECRET_HEADERS);
}
