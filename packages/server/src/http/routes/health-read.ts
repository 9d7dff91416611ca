import type { FastifyReply } from 'fastify';

/** `GET /healthz`: reached only while the server serves. */
export function readHealth(reply: FastifyReply): FastifyReply {
  return reply.type('text/plain; charset=utf-8').send('ok\n');
}
