import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { findProblems } from '../rules-problems.ts';
import { parseSource, readFields } from '../rules-request.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/** `POST …/rules/check` with `{"source"}`: what is wrong with rules, without publishing them. */
export async function checkRules(request: ApiRequest): Promise<Answer> {
  const { backend, identity } = request;
  segmentNamespace(request, 'database');
  const source = parseSource(await readFields(request, ['source']));
  try {
    await backend.administration.checkRules(identity, source);
    return jsonAnswer({ problems: [] });
  } catch (cause) {
    const problems = findProblems(cause);
    if (problems === undefined) throw cause;
    return jsonAnswer({ problems });
  }
}
