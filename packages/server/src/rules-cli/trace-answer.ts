import type { RuleKind } from '@hearth/core/rules/rule-set.ts';
import { CommandFailure } from '../ops/command-failure.ts';
import type { AnswerJson } from './answer-json.ts';
import { formatRuleName } from './format-rule-name.ts';
import type { ShownStep, ShownValue } from './shown-trace.ts';

/** Reads the steps of a trace. Throws a `CommandFailure`. */
export function parseStep(answer: AnswerJson): ShownStep {
  const span = answer.member('span');
  return {
    span: { start: span.member('start').number(), end: span.member('end').number() },
    value: parseValue(answer.member('value')),
    steps: answer.member('steps').items().map(parseStep),
  };
}

export function parseKind(answer: AnswerJson): RuleKind {
  const kind = answer.text();
  if (kind === 'read' || kind === 'write' || kind === 'validate') return kind;
  throw new CommandFailure(`The server tells of a rule .${kind}, which is not known here.`);
}

/** Reads what a rule is called. */
export function parseRuleName(answer: AnswerJson): string {
  return formatRuleName({
    kind: parseKind(answer.member('kind')),
    location: answer.member('location').text(),
  });
}

function parseValue(answer: AnswerJson): ShownValue {
  const kind = answer.member('kind').text();
  switch (kind) {
    case 'object':
      return { kind };
    case 'not-finite':
      return { kind, text: answer.member('text').text() };
    case 'cut':
      return {
        kind,
        of: answer.member('of').text() === 'string' ? 'string' : 'json',
        start: answer.member('start').text(),
        length: answer.member('length').number(),
      };
    case 'snapshot': {
      const tree = answer.member('tree').text() === 'after' ? 'after' : 'before';
      return { kind, tree, path: answer.member('path').optional((path) => path.text()) };
    }
    case 'error':
      return { kind, message: answer.member('message').text() };
    case 'redacted': {
      const length = answer.member('length').optional((count) => count.number());
      return { kind, of: answer.member('of').text(), length };
    }
    case 'scalar':
      return { kind, value: parseScalar(answer.member('value')) };
    case 'json':
      return { kind, value: answer.member('value').json };
    default:
      throw new CommandFailure(
        `The server tells of a value of the kind ${JSON.stringify(kind)}, which is not known here: is it of the same version?`,
      );
  }
}

function parseScalar({ json }: AnswerJson): boolean | number | string | null {
  return typeof json === 'boolean' || typeof json === 'number' || typeof json === 'string' ? json : null;
}
