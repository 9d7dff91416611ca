import type { TraceStep, TraceValue } from '@hearth/core/rules/trace.ts';
import type { CutValue, KeptStep } from './denial.ts';
import { printJsonWithDoubles } from './json-with-doubles.ts';

/** Longest text that a trace shows, in UTF-16 units. */
const MAX_TEXT_UNITS = 1_000;

/** The steps of a rule with their values, of which long ones are cut. */
export function shortenStep({ span, value, steps }: TraceStep): KeptStep {
  return { span, value: shortenValue(value), steps: steps.map(shortenStep) };
}

function shortenValue(value: TraceValue): TraceValue | CutValue {
  if (value.kind === 'scalar' && typeof value.value === 'string')
    return cutLong('string', value.value) ?? value;
  if (value.kind !== 'json' || typeof value.value !== 'object' || value.value === null) return value;
  return cutObject(value.value) ?? value;
}

const KNOWN = new WeakMap<object, CutValue | null>();

/** A trace shows the same object many times. */
function cutObject(object: object): CutValue | null {
  const known = KNOWN.get(object);
  if (known !== undefined) return known;
  const cut = cutLong('json', printJsonWithDoubles(object));
  KNOWN.set(object, cut);
  return cut;
}

function cutLong(of: CutValue['of'], text: string): CutValue | null {
  if (text.length <= MAX_TEXT_UNITS) return null;
  return { kind: 'cut', of, start: text.slice(0, MAX_TEXT_UNITS).toWellFormed(), length: text.length };
}
