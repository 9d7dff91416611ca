import { type Colour, type Paint, plural, printable } from './terminal.ts';
import {
  formatRuleName,
  type ShownExplanation,
  type ShownRule,
  type ShownStep,
  type ShownValue,
} from './trace.ts';

/** Longest text of a value, in characters. */
const MAX_LENGTH = 60;

/** A value of a trace on one line. */
function formatTraceValue(value: ShownValue): string {
  switch (value.kind) {
    case 'scalar':
    case 'json':
      return cutValue(printable(JSON.stringify(value.value) ?? 'nothing'));
    case 'not-finite':
      return value.text;
    case 'cut': {
      const start = printable(value.of === 'string' ? JSON.stringify(value.start).slice(0, -1) : value.start);
      return `${cutValue(`${start}…`)} (${plural(value.length, 'character')})`;
    }
    case 'object':
      return '{…}';
    case 'snapshot':
      if (value.path === null) return 'an invalid path';
      return printable(value.tree === 'after' ? `${value.path} as written` : value.path);
    case 'error':
      return printable(`error: ${value.message}`);
    case 'redacted':
      return value.length === null
        ? `a ${value.of} (not stored)`
        : `a ${value.of} of ${plural(value.length, 'character')} (not stored)`;
    default:
      return value satisfies never;
  }
}

function colourOfValue(value: ShownValue): Colour | undefined {
  if (value.kind === 'error') return 'yellow';
  if (value.kind === 'snapshot') return 'dim';
  if (value.kind !== 'scalar' || typeof value.value !== 'boolean') return undefined;
  return value.value ? 'green' : 'red';
}

function cutValue(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}

/** Widest column of expressions, in characters. */
const MAX_WIDTH = 64;
const INDENT = '  ';

interface Line {
  readonly text: string;
  readonly step: ShownStep;
}

/**
 * What an expression came to: one line for each part that is worth telling, indented below the part it belongs to, and its
 * value in a column beside it. `source` is what the spans belong to.
 */
export function formatTrace(step: ShownStep, source: string, paint: Paint): readonly string[] {
  const lines = [...linesOf(step, source, 0)];
  const width = Math.max(...lines.map(({ text }) => text.length));
  return lines.map((line) => {
    const { value } = line.step;
    const shown = isReportedBelow(line.step) ? 'error' : formatTraceValue(value);
    const colour = colourOfValue(value);
    return `${line.text.padEnd(width)}  ${colour === undefined ? shown : paint(colour, shown)}`;
  });
}

function* linesOf(step: ShownStep, source: string, depth: number): Generator<Line> {
  yield { text: cutLine(INDENT.repeat(depth) + printable(textOf(step, source))), step };
  for (const part of relevantParts(step, source)) yield* linesOf(part, source, depth + 1);
}

/** Parts that are worth a line; those of a part that is not count in its place. */
function relevantParts(step: ShownStep, source: string): readonly ShownStep[] {
  return step.steps.flatMap((part) =>
    isRelevant(part, step, source) ? [part] : relevantParts(part, source),
  );
}

function isRelevant(part: ShownStep, whole: ShownStep, source: string): boolean {
  const text = textOf(part, source);
  if (part.value.kind === 'error' && !isReportedBelow(part)) return true;
  if (isInChain(part, whole, source)) return false;
  // Of `data.child('a').child('b')` the last place is enough.
  if (part.value.kind === 'snapshot') return whole.value.kind !== 'snapshot' && !TREE.test(text);
  // Of `auth.token.admin` the last value is enough.
  return part.value.kind !== 'json' || !isTarget(text, textOf(whole, source));
}

/** `a && b` in `a && b && c`, which people read as three. */
function isInChain(part: ShownStep, whole: ShownStep, source: string): boolean {
  const [left] = part.steps;
  if (part !== whole.steps[0] || left === undefined) return false;
  const operator = operatorAfter(left, part, source);
  return operator !== undefined && operator === operatorAfter(part, whole, source);
}

function operatorAfter(left: ShownStep, whole: ShownStep, source: string): string | undefined {
  return /^[\s)]*(&&|\|\|)/.exec(source.slice(left.span.end, whole.span.end))?.[1];
}

const TREE = /^(?:data|newData|root)$/;
const MEMBER = /^\s*[.[]/;

/** Is a member of `text` what the whole is, or begins with? */
function isTarget(text: string, whole: string): boolean {
  return whole.startsWith(text) && MEMBER.test(whole.slice(text.length));
}

/** An error goes through all that it is part of; it is told where it arises. */
function isReportedBelow(step: ShownStep): boolean {
  return step.value.kind === 'error' && step.steps.some(({ value }) => value.kind === 'error');
}

/** The text of an expression on one line. */
function textOf({ span }: ShownStep, source: string): string {
  return source.slice(span.start, span.end).replace(/\s+/g, ' ');
}

function cutLine(text: string): string {
  return text.length > MAX_WIDTH ? `${text.slice(0, MAX_WIDTH - 1)}…` : text;
}

/** Why an operation is allowed or not: a sentence, and every rule that was asked, with what it came to. */
export function formatExplanation(explanation: ShownExplanation, paint: Paint): readonly string[] {
  return [
    paint(explanation.isAllowed ? 'green' : 'red', printable(summary(explanation))),
    ...explanation.rules.flatMap((rule) => ['', ...formatRule(rule, rule === explanation.deciding, paint)]),
  ];
}

function summary({ isAllowed, refused: denied, deciding }: ShownExplanation): string {
  if (deciding === null)
    return isAllowed ? 'Allowed.' : `Denied: no rule exists at or above ${denied ?? 'the path'}.`;
  if (isAllowed) return `Allowed: ${formatRuleName(deciding)} holds for ${deciding.place}.`;
  if (deciding.kind === 'validate')
    return `Denied: ${formatRuleName(deciding)} does not hold for ${deciding.place}.`;
  return `Denied: no .${deciding.kind} at or above ${denied ?? deciding.place} holds.`;
}

/** What holds and did not decide is one line. */
function formatRule(rule: ShownRule, isDeciding: boolean, paint: Paint): readonly string[] {
  const outcome = rule.holds ? paint('green', 'holds') : paint('red', 'does not hold');
  const evaluatedPath = rule.place === rule.location ? '' : ` for ${printable(rule.place)}`;
  const at = rule.at === '' ? '' : `  ${paint('dim', rule.at)}`;
  const head = `${paint('bold', formatRuleName(rule))}${evaluatedPath} ${outcome}${at}`;
  if (rule.holds && !isDeciding) return [head];
  return [head, ...formatTrace(rule.step, rule.source, paint).map((line) => `  ${line}`)];
}
