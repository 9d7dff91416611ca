import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, sendAnswer, wholeText } from '../answer.ts';
import { SECRET_HEADERS } from '../common-headers.ts';
import { parseRequestTarget } from '../request-target.ts';

/** `GET /console/setup?token=…`: the page that the link leads to. */
export function answerSetupPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { query } = parseRequestTarget(request.url);
  return sendAnswer(request, response, setupPage(query.get('token') ?? ''), SECRET_HEADERS);
}

/** Has no script, and sends nothing but its form, and that to this server. */
function setupPage(token: string): Answer {
  const isToken = /^[\w-]{1,100}$/.test(token);
  return {
    status: isToken ? 200 : 400,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    },
    body: wholeText(isToken ? formPage(token) : page('<p>The link is not whole: copy all of it.</p>')),
  };
}

function formPage(token: string): string {
  return page(`<p>This link makes the first owner of a project. It works once.</p>
<form method="post" action="/api/owner">
<input type="hidden" name="token" value="${token}">
<p><label>Project <input name="project" required pattern="[a-z0-9]([a-z0-9\\-]{0,48}[a-z0-9])?"></label></p>
<p><label>E-mail address <input name="email" type="email" required autocomplete="username"></label></p>
<p><label>Password <input name="password" type="password" required autocomplete="new-password"></label></p>
<p><button>Create</button></p>
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
