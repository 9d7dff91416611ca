import type { ServerResponse } from 'node:http';
import { Refusal } from '@hearth/core/fault/refusal.ts';
import { refuseEtag, refuseExpectedHash } from '../condition.ts';
import type { DataRequest } from '../data-request.ts';
import type { EventStreams } from '../event-streams.ts';
import { parseRestQuery } from '../rest-query.ts';

/** `GET /<path>.json` with `Accept: text/event-stream`: the node, or what a query shows of it, and every change from then on. */
export async function streamData(
  request: DataRequest,
  response: ServerResponse,
  streams: EventStreams,
): Promise<void> {
  const { databases, namespace, identity, location, parameters, query } = request;
  mustBeStreamable(request);
  const listen = {
    identity,
    path: location.path,
    query: parseRestQuery(query),
    form: parameters.form,
  };
  const stream = streams.open(response, listen, namespace, databases.trafficOf(namespace));
  await databases.listen(namespace, stream.listen);
}

/** What is asked of one answer means nothing for a stream of events. */
function mustBeStreamable({ condition, location, parameters }: DataRequest): void {
  refuseExpectedHash(condition, 'GET');
  refuseEtag(condition, 'for a stream');
  const { print, isShallow, callback, download } = parameters;
  if (print !== 'plain' || isShallow || callback !== null || download !== null)
    throw new Refusal(
      'http/parameter',
      'A stream of events goes together with none of print, shallow, callback and download.',
    );
  if (location.isPriority)
    throw new Refusal('http/parameter', 'A priority has no stream: stream its node with format=export.');
}
