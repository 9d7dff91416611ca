import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Answer } from '../answer.ts';
import type { ApiRequest } from '../api-request.ts';
import { mustKnowParameters } from '../explorer-parameters.ts';
import { feedAnswer } from '../feed-answer.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `GET …/activity`: what was done in the last quarter of an hour, and then every second what was done in it. */
export async function followActivity(request: ApiRequest): Promise<Answer> {
  const database = segmentNamespace(request, 'database');
  mustKnowParameters(request.query, []);
  if (!request.wantsEvents)
    throw new Refusal('http/parameter', 'Activity is a stream of events: send Accept: text/event-stream.');
  return feedAnswer(request.backend.activity.follow(request.identity, database));
}
