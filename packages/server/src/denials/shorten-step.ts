import type { TraceStep, TraceValue } from '@hearth/core/rules/trace.ts';

/** Longest text that a trace shows, in UTF-16 units. */
const MAX_TEXT_UNITS = 1_000;

/** The steps of a rule with their values, of which long texts are cut and end in `…`. */
export function shortenStep({ span, value, steps }: TraceStep): TraceStep {
  return { span, value: shortenValue(value), steps: steps.map(shortenStep) };
}

function shortenValue(value: TraceValue): TraceValue {
  if (value.kind !== 'scalar' || typeof value.value !== 'string' || value.value.length <= MAX_TEXT_UNITS)
    return value;
  return { kind: 'scalar', value: `${value.value.slice(0, MAX_TEXT_UNITS).toWellFormed()}…` };
}
