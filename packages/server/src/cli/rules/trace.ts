import type { RuleKind } from '@hearth/core/rules/evaluate/rule-set.ts';
import type { Explanation, TraceValue } from '@hearth/core/rules/explain/trace.ts';
import { LineIndex, type Span } from '@hearth/core/rules/syntax/problems.ts';
import { CommandFailure } from '../../platform/failures.ts';
import type { AnswerJson } from './database-client.ts';
import type { SourceText } from './source.ts';
import { printable } from './terminal.ts';

/**
 * A displayed value. The denial log may store only the kind and the length of a value that comes from data.
 */
export type ShownValue =
  | TraceValue
  /** The start of a value that is too long. `length` is the length of the whole value. */
  | { readonly kind: 'cut'; readonly of: 'string' | 'json'; readonly start: string; readonly length: number }
  | { readonly kind: 'redacted'; readonly of: string; readonly length: number | null };

/** A `TraceStep` whose values may be shortened or redacted. */
export interface ShownStep {
  readonly span: Span;
  readonly value: ShownValue;
  readonly steps: readonly ShownStep[];
}

/** An evaluated rule with the texts that its display needs. */
export interface ShownRule {
  readonly kind: RuleKind;
  /** For example `/rooms/$id`. */
  readonly location: string;
  /** The concrete path, for example `/rooms/r1`. */
  readonly place: string;
  readonly holds: boolean;
  readonly step: ShownStep;
  /** The text that the spans refer to. */
  readonly source: string;
  /** The position of the rule as `file:line:column`; empty if unknown. */
  readonly at: string;
}

/** An explanation of why an operation is allowed or denied. */
export interface ShownExplanation {
  readonly isAllowed: boolean;
  /** The denied path; `null` if the operation is allowed or the path is unknown. */
  readonly deniedPath: string | null;
  /** In evaluation order. */
  readonly rules: readonly ShownRule[];
  /** One of `rules`; `null` if no rule decided. */
  readonly deciding: ShownRule | null;
}

/** Returns the name of a rule, for example `.write of /rooms/$room`. */
export function formatRuleName({ kind, location }: Pick<ShownRule, 'kind' | 'location'>): string {
  return printable(`.${kind} of ${location}`);
}

/**
 * Parses a step of a trace, with its nested steps. Throws a `CommandFailure` if the JSON has an unexpected
 * form.
 */
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
  throw new CommandFailure(
    `The server sent an unknown kind of rule, .${kind}. Use the same version of Hearth for this command.`,
  );
}

/** Parses the name of a rule. */
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
        `The server sent an unknown kind of value, ${JSON.stringify(kind)}. Use the same version of Hearth for this command.`,
      );
  }
}

function parseScalar({ json }: AnswerJson): boolean | number | string | null {
  return typeof json === 'boolean' || typeof json === 'number' || typeof json === 'string' ? json : null;
}

/** An explanation whose traces may come from a server. */
export interface AnyExplanation extends Omit<Explanation, 'rules' | 'deciding'> {
  readonly rules: readonly AnyRuleTrace[];
  readonly deciding: AnyRuleTrace | null;
}

export type AnyRuleTrace = Omit<ShownRule, 'source' | 'at'> & { readonly step: ShownStep };

/** Adds the rules to which the spans of an explanation refer, so that it can be displayed. */
export function showExplanation(
  { isAllowed, deniedPath, rules, deciding }: AnyExplanation,
  { name, source }: SourceText,
): ShownExplanation {
  const lines = new LineIndex(source);
  const shown = rules.map((trace): ShownRule => {
    const { line, column } = lines.positionOf(trace.step.span.start);
    return { ...trace, source, at: `${name}:${line}:${column}` };
  });
  return {
    isAllowed,
    deniedPath,
    rules: shown,
    deciding: shown.findLast((rule) => deciding !== null && isSame(rule, deciding)) ?? null,
  };
}

/**
 * Returns whether two traces are of the same rule and path. Compares values, because an explanation from the
 * network contains copies.
 */
function isSame(a: AnyRuleTrace, b: AnyRuleTrace): boolean {
  return a.kind === b.kind && a.location === b.location && a.place === b.place;
}
