import type { DenialList, DenialReport, ExplainedDenial } from './denial-report.ts';
import { formatExplanation } from './format-explanation.ts';
import { formatTable } from './format-table.ts';
import { formatTime } from './format-time.ts';
import type { Paint } from './paint.ts';
import { plural } from './plural.ts';

/** All that a server tells of denials. */
export function formatDenialList({ denials, sampledOut }: DenialList): readonly string[] {
  return [
    ...(denials.length === 0 ? ['Nothing was denied.'] : formatDenials(denials)),
    ...(sampledOut === 0
      ? []
      : ['', `Of ${plural(sampledOut, 'more denial')} nothing is kept: there were too many at a time.`]),
  ];
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
  ];
}

function cellsOf({ id, timeMs, operation, paths, pathCount, who, rule }: DenialReport): readonly string[] {
  const more = pathCount - paths.length;
  const places = more > 0 ? [...paths, `${more} more`] : paths;
  return [String(id), formatTime(timeMs), who, operation, places.join(', '), rule ?? 'no rule'];
}
