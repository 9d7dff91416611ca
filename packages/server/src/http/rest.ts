import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendJson } from './answer.ts';
import type { HttpBackend } from './backend.ts';
import { namespaceOf } from './namespace.ts';
import { parseRequestTarget } from './request-target.ts';
import { identify, type RestVerifiers } from './rest-identity.ts';
import { parsePrint, refuseUnknownParameters } from './rest-parameters.ts';
import { effectiveMethod, findRestRoute } from './rest-route.ts';
import type { RulesRequest } from './rules-request.ts';
import { refuseUnsupportedHeaders } from './unsupported-headers.ts';

export interface RestOptions {
  readonly verifiers: RestVerifiers;
  /** The database of requests that name none; `null` refuses them. */
  readonly defaultNamespace: string | null;
}

const OVERRIDE_HEADER = 'x-http-method-override';

/** Answers one REST request, or rejects with a `Refusal`. */
export async function answerRest(
  request: FastifyRequest,
  reply: FastifyReply,
  backend: HttpBackend,
  options: RestOptions,
): Promise<FastifyReply> {
  const { headers, body } = request;
  const { pathname, query } = parseRequestTarget(request.originalUrl);
  const override = headers[OVERRIDE_HEADER];
  const method = effectiveMethod(request.method, typeof override === 'string' ? override : undefined);
  const route = findRestRoute(method, pathname);
  refuseUnknownParameters(query);
  refuseUnsupportedHeaders(headers);
  const print = parsePrint(query);
  const common: RulesRequest = {
    databases: backend.databases,
    namespace: namespaceOf(headers.host, query, options.defaultNamespace),
    identity: await identify(headers.authorization, query, options.verifiers),
    body: Buffer.isBuffer(body) ? body : undefined,
  };
  if (route.kind === 'data')
    return sendJson(reply, await route.run({ ...common, location: route.location }), print);
  const text = await route.run(common);
  // Rules are shown as they were uploaded, down to the white space.
  return sendJson(reply, text, print === 'pretty' ? 'plain' : print);
}
