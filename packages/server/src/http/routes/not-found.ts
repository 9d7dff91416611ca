import { REFUSALS } from '@hearth/core/fault/codes.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isApiUrl } from '../api-url.ts';
import { nameRequest } from '../request-source.ts';

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Nothing here</title>
<h1>Nothing here</h1>
<p>This is a Hearth server. The data of a database is at addresses that end in <code>.json</code>, for example
<code>/.json?ns=my-database</code>.</p>
</html>
`;

/**
 * Everything that is not at an address of REST: a page for people, and a hint for programs that meant to write. What asks the
 * interface of Hearth's own is a program that understands JSON.
 */
export function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isApiUrl(request.originalUrl)) {
    const { http, text } = REFUSALS['http/not-found'];
    return reply
      .code(http)
      .headers(nameRequest({}, request.raw))
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ error: text, code: 'http/not-found' }));
  }
  if (request.method === 'GET' || request.method === 'HEAD')
    return reply.code(404).type('text/html; charset=utf-8').send(PAGE);
  const { http, text } = REFUSALS['http/method'];
  return reply.code(http).type('text/plain; charset=utf-8').send(`${text}\n`);
}
