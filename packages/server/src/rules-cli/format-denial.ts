import type { DenialList, DenialReport, ExplainedDenial } from './denial-report.ts';
import { formatExplanation } from './format-explanation.ts';
import { formatTable } from './format-table.ts';
import { formatTime } from './format-time.ts';
import type { Paint } from './paint.ts';
import { plural } from './plural.ts';
import { printable } from './printable.ts';
import type { ShownStep } from './shown-trace.ts';

/** All that a server tells of denials. */
export function formatDenialList({ denials, sampledOut }: DenialList): readonly string[] {
  return [
    ...formatLatest(denials),
    ...(sampledOut === 0
      ? []
      : ['', `Of ${plural(sampledOut, 'more denial')} nothing is kept: there were too many at a time.`]),
  ];
}

const HEADER = ['id', 'denied', 'who', 'operation', 'place', 'decided by'];

function formatLatest(denials: readonly DenialReport[]): readonly string[] {
  const [latest] = denials;
  if (latest === undefined) return ['Nothing was denied.'];
  const table = formatTable([HEADER, ...denials.map(cellsOf)]);
  return [...table, '', `To see why: hearth rules denials ${latest.id}`];
}

/** A line for each denial. */
export function formatDenials(denials: readonly DenialReport[]): readonly string[] {
  return formatTable(denials.map(cellsOf));
}

/** A denial with what its rules came to. */
export function formatDenial({ denial, explanation }: ExplainedDenial, paint: Paint): readonly string[] {
  const [id, time, who, operation, paths] = cellsOf(denial);
  return [
    paint('bold', `Denial ${id}, ${time}: ${operation} of ${paths} by ${who}`),
    '',
    ...formatExplanation(explanation, paint),
    ...(explanation.rules.some(({ step }) => isRedacted(step)) ? ['', NOT_KEPT] : []),
  ];
}

const NOT_KEPT = 'Values of data are not kept with a denial: hearth rules explain shows those of now.';

function isRedacted({ value, steps }: ShownStep): boolean {
  return value.kind === 'redacted' || steps.some(isRedacted);
}

function cellsOf({ id, timeMs, operation, paths, pathCount, who, rule }: DenialReport): readonly string[] {
  const more = pathCount - paths.length;
  const places = more > 0 ? [...paths, `${more} more`] : paths;
  return [String(id), formatTime(timeMs), who, operation, printable(places.join(', ')), rule ?? 'no rule'];
}
