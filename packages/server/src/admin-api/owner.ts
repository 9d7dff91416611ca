import type { IncomingMessage, ServerResponse } from 'node:http';
import { isForm, parseFields } from '../auth/api/body.ts';
import type { Fields } from '../auth/fields.ts';
import type { FirstOwner } from '../auth/roles/owner-setup.ts';
import { SECRET_HEADERS } from '../http/errors.ts';
import { bodyOf, decodeBody, readBodyBytes } from '../http/request-body.ts';
import { type RequestSource, requestSource, withRequestId } from '../http/request-source.ts';
import { parseRequestTarget } from '../http/request-target.ts';
import { type Answer, jsonAnswer, sendAnswer, wholeText } from '../http/response.ts';

/**
 * Creates the first owner of a project for the caller who has the setup link. Rejects with an `AuthApiError`.
 */
export type OwnerSetup = (fields: Fields, source: RequestSource) => Promise<FirstOwner>;

const MAX_BODY_BYTES = 16_384;

/**
 * `POST /api/owner` with `token`, `project`, `email` and `password`, as JSON or as the form of the setup
 * page: creates the first owner. The response to the form redirects to the console.
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
  const answer = isForm(request, decodeBody(body)) ? redirectToConsole(owner.projectId) : jsonAnswer(owner);
  return sendAnswer(request, response, answer, withRequestId(SECRET_HEADERS, request));
}

/** Returns a redirect to the console. With status 303, the browser follows it with GET. */
function redirectToConsole(project: string): Answer {
  return {
    status: 303,
    headers: { location: `/console/?project=${encodeURIComponent(project)}` },
    body: null,
  };
}

/** `GET /console/setup?token=…`: responds with the page to which the setup link leads. */
export function answerSetupPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { query } = parseRequestTarget(request.url);
  return sendAnswer(request, response, setupPage(query.get('token') ?? ''), SECRET_HEADERS);
}

/** Returns the setup page. The page has no scripts and sends nothing except its form, only to this server. */
function setupPage(token: string): Answer {
  const isToken = /^[\w-]{1,100}$/.test(token);
  return {
    status: isToken ? 200 : 400,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    },
    body: wholeText(isToken ? formPage(token) : page('<p>The link is incomplete. Copy the full link.</p>')),
  };
}

function formPage(token: string): string {
  return page(`<p>This link creates the first owner of a project. It works once.</p>
<form method="post" action="/api/owner">
<input type="hidden" name="token" value="${token}">
<p><label>Project ID <input name="project" required pattern="[a-z0-9]([a-z0-9\\-]{0,48}[a-z0-9])?"></label></p>
<p><label>Email <input name="email" type="email" required autocomplete="username"></label></p>
<p><label>Password <input name="password" type="password" required autocomplete="new-password"></label></p>
<p><button>Create owner</button></p>
</form>`);
}

function page(content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex, nofollow">
<title>Hearth</title>
<h1>Hearth</h1>
${content}
</html>
`;
}
