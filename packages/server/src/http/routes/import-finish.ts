import type { Answer } from '../answer.ts';
import type { ApiRequest } from '../api-request.ts';
import { answerImport, namedImport } from '../import-request.ts';

/** `POST …/imports/<id>/finish`: the source is complete; answers once the import is done or has failed. May be sent again. */
export function finishImport(request: ApiRequest): Promise<Answer> {
  const { database, id } = namedImport(request);
  request.keepOpen();
  return answerImport(request.backend.imports.finish(database, id));
}
