import type { IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_ERRORS, RequestError } from '@hearth/core/error/request-error.ts';
import type { Area, AreaPolicy } from './area.ts';
import { type ErrorStyle, PUBLIC_HEADERS, reject } from './errors.ts';
import type { Headers } from './response.ts';
import { findRoutePath } from './route-table.ts';

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Page not found</title>
<h1>Page not found</h1>
<p>This is a Hearth server. Database URLs end in <code>.json</code>, for example
<code>/.json?ns=my-database</code>.</p>
</html>
`;

/** Answers a request for an unknown URL: `GET` and `HEAD` with a page, other methods with the error `http/method`. */
export function answerNotFound(request: IncomingMessage, response: ServerResponse, headers: Headers): void {
  if (request.method === 'GET' || request.method === 'HEAD')
    sendText(response, 404, { ...headers, 'content-type': 'text/html; charset=utf-8' }, PAGE);
  else {
    const { http, text } = REQUEST_ERRORS['http/method'];
    sendText(response, http, { ...headers, 'content-type': 'text/plain; charset=utf-8' }, `${text}\n`);
  }
}

/** Sends a text in one piece. */
export function sendText(response: ServerResponse, status: number, headers: Headers, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(status, { ...headers, 'content-length': String(body.length) });
  response.end(body);
}

/** Owns every request. */
export const NOT_FOUND_POLICY: AreaPolicy = { owns: () => true, headers: PUBLIC_HEADERS };

/** The area of all requests that no other area owns. */
export const NOT_FOUND_AREA: Area = {
  policy: NOT_FOUND_POLICY,
  errors: { headers: PUBLIC_HEADERS },
  async answer(request, response) {
    answerNotFound(request, response, PUBLIC_HEADERS);
  },
};

/** Returns the policy that rejects URLs whose percent-encoding is not valid UTF-8. */
export function malformedPolicy(
  showsCode: NonNullable<ErrorStyle['showsCode']>,
  logger: Parameters<typeof reject>[4],
): AreaPolicy {
  const style: ErrorStyle = { headers: PUBLIC_HEADERS, showsCode };
  return {
    owns: ({ url = '' }) => findRoutePath(url) === undefined,
    headers: PUBLIC_HEADERS,
    answerAlways: (request, response) =>
      reject(new RequestError('request/malformed'), request, response, style, logger),
  };
}
