import type { FastifyReply, FastifyRequest } from 'fastify';

const METHODS = 'GET, PUT, POST, PATCH, DELETE, OPTIONS, HEAD';
const HEADERS =
  'Authorization, Content-Type, X-Firebase-ETag, If-Match, X-HTTP-Method-Override, X-Firebase-AppCheck';
const MAX_AGE_SECONDS = 3600;

/** `OPTIONS /<path>.json`: lets pages of every origin use REST; a page of another origin carries no cookies here. */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('access-control-allow-methods', METHODS);
  reply.header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? HEADERS);
  reply.header('access-control-max-age', MAX_AGE_SECONDS);
  if (request.headers['access-control-request-private-network'] === 'true')
    reply.header('access-control-allow-private-network', 'true');
  return reply.code(200).send('');
}
