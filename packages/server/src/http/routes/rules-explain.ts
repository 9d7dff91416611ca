import { Refusal } from '@hearth/core/fault/refusal.ts';
import { parseQuestion, type RuleQuestion } from '@hearth/core/rules/cases/parse-question.ts';
import type { Answer } from '../answer.ts';
import { type ApiRequest, jsonAnswer } from '../api-request.ts';
import { mustKnowParameters } from '../explorer-parameters.ts';
import { readBodyText } from '../request-body.ts';
import { MAX_RULES_BODY_BYTES } from '../rules-request.ts';
import { segmentNamespace } from '../segment-namespace.ts';

/**
 * `POST …/rules/explain` with `{"auth"?, "operation", "path", "value"?, "query"?, "source"?}`: why rules would allow an
 * operation now, or not. Nothing is written.
 */
export async function explainRules(request: ApiRequest): Promise<Answer> {
  const { backend, identity, query, body } = request;
  mustKnowParameters(query, []);
  const database = segmentNamespace(request, 'database');
  const question = mustBeQuestion(await readBodyText(body, MAX_RULES_BODY_BYTES));
  return jsonAnswer(await backend.explanations.explain(identity, database, question));
}

/** Most problems of a question that are told. */
const MAX_PROBLEMS = 5;

function mustBeQuestion(text: string): RuleQuestion {
  const parsed = parseQuestion(text);
  if (parsed.kind === 'question') return parsed.question;
  const messages = parsed.problems.slice(0, MAX_PROBLEMS).map(({ message }) => message);
  throw new Refusal('request/malformed', messages.join(' '));
}
