import type { Step } from '../../../server/rules-trace.ts';

const TREE = /^(?:data|newData|root)$/;
const MEMBER = /^\s*[.[]/;

/** Parts of a step that are worth telling, in the order of the text; those of a part that is not count in its place. */
export function tellingSteps(step: Step, source: string): readonly Step[] {
  return step.steps
    .flatMap((part) => (isTelling(part, step, source) ? [part] : tellingSteps(part, source)))
    .sort((a, b) => a.span.start - b.span.start);
}

/** An error goes through all that it is part of; it is told where it arises. */
function isToldBelow({ value, steps }: Step): boolean {
  return value.kind === 'error' && steps.some((step) => step.value.kind === 'error');
}

function isTelling(part: Step, whole: Step, source: string): boolean {
  const text = textOf(part, source);
  if (part.value.kind === 'error' && !isToldBelow(part)) return true;
  if (isInChain(part, whole, source)) return false;
  // Of `data.child('a').child('b')` the last place is enough.
  if (part.value.kind === 'snapshot') return whole.value.kind !== 'snapshot' && !TREE.test(text);
  // Of `auth.token.admin` the last value is enough.
  return !isTarget(text, textOf(whole, source)) || part.value.kind !== 'json';
}

/** `a && b` in `a && b && c`, which people read as three. */
function isInChain(part: Step, whole: Step, source: string): boolean {
  const [left] = part.steps;
  if (part !== whole.steps[0] || left === undefined) return false;
  const operator = operatorAfter(left, part, source);
  return operator !== undefined && operator === operatorAfter(part, whole, source);
}

function operatorAfter(left: Step, whole: Step, source: string): string | undefined {
  return /^[\s)]*(&&|\|\|)/.exec(source.slice(left.span.end, whole.span.end))?.[1];
}

/** Is a member of `text` what the whole is, or begins with? */
function isTarget(text: string, whole: string): boolean {
  return whole.startsWith(text) && MEMBER.test(whole.slice(text.length));
}

function textOf({ span }: Step, source: string): string {
  return source.slice(span.start, span.end);
}
