import type { Answer } from '../answer.ts';
import { jsonAnswer } from '../api-request.ts';
import { mustKnowParameters } from '../explorer-parameters.ts';
import type { PublicApiRequest } from '../public-api-request.ts';

/** `GET /api/projects/<project>/sign-in`: `{"apiKey","projectId"}`, with which anybody may begin to sign in. */
export async function startSignIn({ backend, client, query, segments }: PublicApiRequest): Promise<Answer> {
  mustKnowParameters(query, []);
  return jsonAnswer(backend.startSignIn(segments['project'] ?? '', client.address));
}
