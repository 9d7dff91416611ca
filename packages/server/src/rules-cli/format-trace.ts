import { colourOfValue, formatTraceValue } from './format-trace-value.ts';
import type { Paint } from './paint.ts';
import { printable } from './printable.ts';
import type { ShownStep } from './shown-trace.ts';

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
    const shown = isToldBelow(line.step) ? 'error' : formatTraceValue(value);
    const colour = colourOfValue(value);
    return `${line.text.padEnd(width)}  ${colour === undefined ? shown : paint(colour, shown)}`;
  });
}

function* linesOf(step: ShownStep, source: string, depth: number): Generator<Line> {
  yield { text: cut(INDENT.repeat(depth) + printable(textOf(step, source))), step };
  for (const part of tellingParts(step, source)) yield* linesOf(part, source, depth + 1);
}

/** Parts that are worth a line; those of a part that is not count in its place. */
function tellingParts(step: ShownStep, source: string): readonly ShownStep[] {
  return step.steps.flatMap((part) => (isTelling(part, step, source) ? [part] : tellingParts(part, source)));
}

function isTelling(part: ShownStep, whole: ShownStep, source: string): boolean {
  const text = textOf(part, source);
  if (part.value.kind === 'error' && !isToldBelow(part)) return true;
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
function isToldBelow(step: ShownStep): boolean {
  return step.value.kind === 'error' && step.steps.some(({ value }) => value.kind === 'error');
}

/** The text of an expression on one line. */
function textOf({ span }: ShownStep, source: string): string {
  return source.slice(span.start, span.end).replace(/\s+/g, ' ');
}

function cut(text: string): string {
  return text.length > MAX_WIDTH ? `${text.slice(0, MAX_WIDTH - 1)}…` : text;
}
