import type { Step } from '../../../api/rules.ts';

const TREE = /^(?:data|newData|root)$/;
const MEMBER = /^\s*[.[]/;

/** Returns the relevant parts of a step in text order. An irrelevant part is replaced by its own relevant parts. */
function relevantSteps(step: Step, source: string): readonly Step[] {
  return step.steps
    .flatMap((part) => (isRelevant(part, step, source) ? [part] : relevantSteps(part, source)))
    .sort((a, b) => a.span.start - b.span.start);
}

/**
 * Returns whether a nested step shows the error of this step. An error propagates through all enclosing
 * expressions and is shown only where it arises.
 */
function isReportedBelow({ value, steps }: Step): boolean {
  return value.kind === 'error' && steps.some((step) => step.value.kind === 'error');
}

/** Returns whether readers need the value of a part in order to understand the value of `whole`. */
function isRelevant(part: Step, whole: Step, source: string): boolean {
  const text = textOf(part, source);
  if (part.value.kind === 'error' && !isReportedBelow(part)) return true;
  if (isInChain(part, whole, source)) return false;
  // For `data.child('a').child('b')`, only the last path is shown.
  if (part.value.kind === 'snapshot') return whole.value.kind !== 'snapshot' && !TREE.test(text);
  // For `auth.token.admin`, only the last value is shown.
  return !isTarget(text, textOf(whole, source)) || part.value.kind !== 'json';
}

/** Returns whether the part is like `a && b` in `a && b && c`. Readers see this chain as three operands. */
function isInChain(part: Step, whole: Step, source: string): boolean {
  const [left] = part.steps;
  if (part !== whole.steps[0] || left === undefined) return false;
  const operator = operatorAfter(left, part, source);
  return operator !== undefined && operator === operatorAfter(part, whole, source);
}

function operatorAfter(left: Step, whole: Step, source: string): string | undefined {
  return /^[\s)]*(&&|\|\|)/.exec(source.slice(left.span.end, whole.span.end))?.[1];
}

/** Returns whether `whole` begins with a member of `text`, as `auth.token.admin` does if `text` is `auth.token`. */
function isTarget(text: string, whole: string): boolean {
  return whole.startsWith(text) && MEMBER.test(whole.slice(text.length));
}

function textOf({ span }: Step, source: string): string {
  return source.slice(span.start, span.end);
}

/** A piece of a rule's text: plain text, or an evaluated part. */
export type TracePiece =
  | { readonly kind: 'text'; readonly start: number; readonly text: string }
  | {
      readonly kind: 'step';
      readonly step: Step;
      readonly text: string;
      readonly pieces: readonly TracePiece[];
      /** Whether the part has no relevant parts. */
      readonly isLeaf: boolean;
    };

export type StepPiece = Extract<TracePiece, { kind: 'step' }>;

/** Returns a step of `source` with its text split into pieces. */
export function tracePieces(step: Step, source: string): StepPiece {
  const { start, end } = step.span;
  const parts = relevantSteps(step, source);
  const pieces: TracePiece[] = [];
  let at = start;
  for (const part of parts) {
    // Steps of two evaluations of the same text are one piece.
    if (part.span.start < at) continue;
    if (part.span.start > at)
      pieces.push({ kind: 'text', start: at, text: source.slice(at, part.span.start) });
    pieces.push(tracePieces(part, source));
    at = part.span.end;
  }
  if (at < end) pieces.push({ kind: 'text', start: at, text: source.slice(at, end) });
  return { kind: 'step', step, text: source.slice(start, end), pieces, isLeaf: parts.length === 0 };
}

/** Returns a piece and the evaluated parts within it, outer parts before inner ones. */
export function stepsOf(piece: StepPiece): readonly StepPiece[] {
  return [piece, ...piece.pieces.flatMap((part) => (part.kind === 'step' ? stepsOf(part) : []))];
}
