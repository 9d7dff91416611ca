import { type Color, type Paint, plural, printable } from './terminal.ts';
import {
  formatRuleName,
  type ShownExplanation,
  type ShownRule,
  type ShownStep,
  type ShownValue,
} from './trace.ts';

/** Maximum length of a printed value, in characters. */
const MAX_LENGTH = 60;

/** Returns a value of a trace on one line. */
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

function colorOfValue(value: ShownValue): Color | undefined {
  if (value.kind === 'error') return 'yellow';
  if (value.kind === 'snapshot') return 'dim';
  if (value.kind !== 'scalar' || typeof value.value !== 'boolean') return undefined;
  return value.value ? 'green' : 'red';
}

function cutValue(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}

/** Maximum width of the column of expressions, in characters. */
const MAX_WIDTH = 64;
const INDENT = '  ';

interface TraceLine {
  readonly text: string;
  readonly step: ShownStep;
}

/**
 * Returns the trace of an expression: one line for each relevant part, indented below the part that contains
 * it, with its value in a column next to it. `source` is the text that the spans refer to.
 */
export function formatTrace(step: ShownStep, source: string, paint: Paint): readonly string[] {
  const lines = [...linesOf(step, source, 0)];
  const width = Math.max(...lines.map(({ text }) => text.length));
  return lines.map((line) => {
    const { value } = line.step;
    const shown = isReportedBelow(line.step) ? 'error' : formatTraceValue(value);
    const color = colorOfValue(value);
    return `${line.text.padEnd(width)}  ${color === undefined ? shown : paint(color, shown)}`;
  });
}

function* linesOf(step: ShownStep, source: string, depth: number): Generator<TraceLine> {
  yield { text: cutLine(INDENT.repeat(depth) + printable(textOf(step, source))), step };
  for (const part of relevantParts(step, source)) yield* linesOf(part, source, depth + 1);
}

/** Returns the parts that get a line. A part without a line is replaced by its own relevant parts. */
function relevantParts(step: ShownStep, source: string): readonly ShownStep[] {
  return step.steps.flatMap((part) =>
    isRelevant(part, step, source) ? [part] : relevantParts(part, source),
  );
}

function isRelevant(part: ShownStep, whole: ShownStep, source: string): boolean {
  const text = textOf(part, source);
  if (part.value.kind === 'error' && !isReportedBelow(part)) return true;
  if (isInChain(part, whole, source)) return false;
  // For `data.child('a').child('b')`, only the last path is shown.
  if (part.value.kind === 'snapshot') return whole.value.kind !== 'snapshot' && !SNAPSHOT_VARIABLE.test(text);
  // For `auth.token.admin`, only the last value is shown.
  return part.value.kind !== 'json' || !isMemberTarget(text, textOf(whole, source));
}

/**
 * Returns whether the part is an inner operand of a chain, such as `a && b` in `a && b && c`, which readers
 * see as three operands.
 */
function isInChain(part: ShownStep, whole: ShownStep, source: string): boolean {
  const [left] = part.steps;
  if (part !== whole.steps[0] || left === undefined) return false;
  const operator = operatorAfter(left, part, source);
  return operator !== undefined && operator === operatorAfter(part, whole, source);
}

function operatorAfter(left: ShownStep, whole: ShownStep, source: string): string | undefined {
  return /^[\s)]*(&&|\|\|)/.exec(source.slice(left.span.end, whole.span.end))?.[1];
}

const SNAPSHOT_VARIABLE = /^(?:data|newData|root)$/;
const MEMBER_ACCESS = /^\s*[.[]/;

/** Returns whether `whole` is a member of `text`, or begins with one. */
function isMemberTarget(text: string, whole: string): boolean {
  return whole.startsWith(text) && MEMBER_ACCESS.test(whole.slice(text.length));
}

/**
 * Returns whether a nested step shows the error of this step. An error passes through all enclosing
 * expressions and is shown only where it arises.
 */
function isReportedBelow(step: ShownStep): boolean {
  return step.value.kind === 'error' && step.steps.some(({ value }) => value.kind === 'error');
}

/** Returns the text of an expression on one line. */
function textOf({ span }: ShownStep, source: string): string {
  return source.slice(span.start, span.end).replace(/\s+/g, ' ');
}

function cutLine(text: string): string {
  return text.length > MAX_WIDTH ? `${text.slice(0, MAX_WIDTH - 1)}…` : text;
}

/**
 * Returns the lines that explain why an operation is allowed or denied: a sentence, then every evaluated rule
 * with its result.
 */
export function formatExplanation(explanation: ShownExplanation, paint: Paint): readonly string[] {
  return [
    paint(explanation.isAllowed ? 'green' : 'red', printable(summary(explanation))),
    ...explanation.rules.flatMap((rule) => ['', ...formatRule(rule, rule === explanation.deciding, paint)]),
  ];
}

function summary({ isAllowed, deniedPath, deciding }: ShownExplanation): string {
  if (deciding === null)
    return isAllowed ? 'Allowed.' : `Denied: no rule exists at or above ${deniedPath ?? 'the path'}.`;
  if (isAllowed) return `Allowed: ${formatRuleName(deciding)} holds for ${deciding.place}.`;
  if (deciding.kind === 'validate')
    return `Denied: ${formatRuleName(deciding)} does not hold for ${deciding.place}.`;
  return `Denied: no .${deciding.kind} at or above ${deniedPath ?? deciding.place} holds.`;
}

/** Returns the lines for a rule. A rule that holds and did not decide gets one line. */
function formatRule(rule: ShownRule, isDeciding: boolean, paint: Paint): readonly string[] {
  const outcome = rule.holds ? paint('green', 'holds') : paint('red', 'does not hold');
  const evaluatedPath = rule.place === rule.location ? '' : ` for ${printable(rule.place)}`;
  const at = rule.at === '' ? '' : `  ${paint('dim', rule.at)}`;
  const head = `${paint('bold', formatRuleName(rule))}${evaluatedPath} ${outcome}${at}`;
  if (rule.holds && !isDeciding) return [head];
  return [head, ...formatTrace(rule.step, rule.source, paint).map((line) => `  ${line}`)];
}
