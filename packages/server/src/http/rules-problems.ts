import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Answer } from './answer.ts';
import { jsonAnswer } from './api-request.ts';

/** A problem of a rules document; line and column count from 1. */
export interface PlacedProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** One problem, as refusals list them. */
const PROBLEM = /^(\d+):(\d+): (.*)$/s;

/** Answers with the id of the version that a publication makes, or with 400 and the problems of the rules. */
export async function answerPublication(publication: Promise<number>): Promise<Answer> {
  try {
    return jsonAnswer({ id: await publication });
  } catch (cause) {
    const problems = findProblems(cause);
    if (problems === undefined || !(cause instanceof Refusal)) throw cause;
    return jsonAnswer({ error: cause.message, problems }, cause.spec.http);
  }
}

/** The problems for which rules were refused; `undefined` for an error of another kind. */
export function findProblems(error: unknown): readonly PlacedProblem[] | undefined {
  if (!(error instanceof Refusal) || error.code !== 'rules/invalid') return undefined;
  return error.message.split('\n').flatMap((text) => {
    const [, line, column, message] = PROBLEM.exec(text) ?? [];
    // More problems than are shown are only counted by the last line.
    return message === undefined ? [] : [{ line: Number(line), column: Number(column), message }];
  });
}
