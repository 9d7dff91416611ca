import type { AnswerJson } from './answer-json.ts';
import type { AnyExplanation, AnyRuleTrace } from './show-explanation.ts';
import { parseKind, parseStep } from './trace-answer.ts';

/** Reads an explanation. Throws a `CommandFailure`. */
export function parseExplanation(answer: AnswerJson): AnyExplanation {
  return {
    isAllowed: answer.member('isAllowed').boolean(),
    refused: answer.member('refused').optional((place) => place.text()),
    rules: answer.member('rules').items().map(parseRuleTrace),
    deciding: answer.member('deciding').optional(parseRuleTrace),
  };
}

function parseRuleTrace(answer: AnswerJson): AnyRuleTrace {
  return {
    kind: parseKind(answer.member('kind')),
    location: answer.member('location').text(),
    place: answer.member('place').text(),
    holds: answer.member('holds').boolean(),
    step: parseStep(answer.member('step')),
  };
}
