import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LongPollEndpoint } from '../long-poll-endpoint.ts';
import { findNamespace } from '../namespace.ts';
import { parseRequestTarget } from '../request-target.ts';

/** `GET` or `POST /.lp`: passes a request of a polling client on to the endpoint, which answers when there is something to say. */
export function passLongPoll(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: LongPollEndpoint,
  defaultNamespace: string | null,
): FastifyReply {
  const { query } = parseRequestTarget(request.raw.url);
  const namespace = findNamespace(request.headers.host, query) ?? defaultNamespace;
  endpoint.answer(request.raw, reply.raw, namespace, query);
  return reply.hijack();
}
