import type { FastifyReply } from 'fastify';
import { prettyJson } from './pretty-json.ts';
import type { Print } from './rest-parameters.ts';

/** Sends JSON text the way the client wants it printed. */
export function sendJson(reply: FastifyReply, json: string, print: Print): FastifyReply {
  if (print === 'silent') return reply.code(204).send();
  return reply.type('application/json; charset=utf-8').send(print === 'pretty' ? prettyJson(json) : json);
}
