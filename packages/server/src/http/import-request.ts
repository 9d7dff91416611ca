import { Refusal } from '@hearth/core/fault/refusal.ts';
import { ImportConflict, type ImportState } from '../database/import/import-state.ts';
import type { Answer } from './answer.ts';
import { type ApiRequest, jsonAnswer } from './api-request.ts';
import { segmentNamespace } from './segment-namespace.ts';

/** The import that a request is about. */
export interface NamedImport {
  readonly database: string;
  readonly id: string;
}

/** Reads the database and the id in the address `/api/databases/<database>/imports/<id>`. */
export function namedImport(request: ApiRequest): NamedImport {
  const id = request.segments['id'] ?? '';
  if (!/^[a-z0-9-]{8,64}$/.test(id))
    throw new Refusal(
      'request/malformed',
      'The id of an import has 8 to 64 lower-case letters, digits and hyphens.',
    );
  return { database: segmentNamespace(request, 'database'), id };
}

/**
 * Answers with where an import stands: 200, or 400 with an `error` if it has failed. A request that does not go with where it
 * stands gets that as well, with 409. The connection is closed after an error, because nobody reads what more the client sends.
 */
export async function answerImport(change: Promise<ImportState>): Promise<Answer> {
  try {
    const state = await change;
    return state.status === 'failed' ? closing(jsonAnswer(state, 400)) : jsonAnswer(state);
  } catch (cause) {
    if (!(cause instanceof ImportConflict)) throw cause;
    return closing(jsonAnswer({ ...cause.state, error: cause.message }, cause.spec.http));
  }
}

function closing(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}
