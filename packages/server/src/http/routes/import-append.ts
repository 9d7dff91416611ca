import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Answer } from '../answer.ts';
import type { ApiRequest } from '../api-request.ts';
import { answerImport, namedImport } from '../import-request.ts';
import { streamBody } from '../request-body.ts';

/**
 * `PATCH …/imports/<id>?offset=N`: takes in the bytes of the source from N on, which must be where the import stands. With
 * `final=true` the source ends with them.
 */
export async function appendToImport(request: ApiRequest): Promise<Answer> {
  const { database, id } = namedImport(request);
  const { query, body, backend } = request;
  const offset = query.get('offset') ?? '';
  if (!/^[0-9]{1,15}$/.test(offset))
    throw new Refusal(
      'http/parameter',
      'The query parameter offset says at which byte of the source the body starts.',
    );
  // From then on the client waits for what may be long work.
  body.stream.once('end', request.keepOpen);
  const isLast = query.get('final') === 'true';
  return answerImport(
    backend.imports.append(database, id, { offset: Number(offset), chunks: streamBody(body), isLast }),
  );
}
