import Box from '@mui/material/Box';

/** One line of a sparkline. */
export interface SparklineLine {
  /** Values at equal distances, oldest first; `null` where there is none. */
  readonly values: readonly (number | null)[];
  readonly color: string;
}

interface SparklineProps {
  /** Says what the lines show: the current value, the minimum and the maximum of each. */
  readonly label: string;
  /** All lines have the same number of values. */
  readonly lines: readonly SparklineLine[];
  readonly heightPx: number;
}

/** Height of the drawing, in units of the drawing. The distance between two values is one unit. */
const UNITS = 100;

/** Space for the width of a line at the top and the bottom, in units. */
const MARGIN = 4;

/**
 * A small chart without axes. The scale starts at 0 and ends at the largest value of all lines. Time runs from left to right
 * in every language.
 */
export function Sparkline({ label, lines, heightPx }: SparklineProps) {
  const count = Math.max(...lines.map(({ values }) => values.length), 2);
  const largest = Math.max(...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const scale = largest > 0 ? (UNITS - 2 * MARGIN) / largest : 0;
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${count - 1} ${UNITS}`}
      preserveAspectRatio="none"
      sx={{ display: 'block', width: '100%', height: heightPx, overflow: 'visible' }}
    >
      {lines.map(({ values, color }) => (
        <g key={color}>
          <path d={areaPath(values, scale)} fill={color} fillOpacity={0.12} />
          <path
            d={linePath(values, scale)}
            fill="none"
            stroke={color}
            strokeWidth={1.75}
            strokeLinecap="round"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        </g>
      ))}
    </Box>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Returns each run of consecutive values as points of the drawing. */
function runsOf(values: readonly (number | null)[], scale: number): readonly (readonly Point[])[] {
  const runs: Point[][] = [];
  for (const [x, value] of values.entries()) {
    if (value === null) continue;
    const point = { x, y: round(UNITS - MARGIN - value * scale) };
    if (x > 0 && values[x - 1] !== null) runs.at(-1)?.push(point);
    else runs.push([point]);
  }
  return runs;
}

/** Returns the SVG path of a line, with a gap where there are no values. */
export function linePath(values: readonly (number | null)[], scale: number): string {
  return runsOf(values, scale)
    .map((run) => {
      const [first] = run;
      // A line without length is drawn as a dot.
      return run.length === 1 && first !== undefined
        ? `M${first.x} ${first.y}h0`
        : run.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
    })
    .join('');
}

/** Returns the SVG path of the areas between a line and zero. */
function areaPath(values: readonly (number | null)[], scale: number): string {
  return runsOf(values, scale)
    .map((run) => {
      const line = run.map(({ x, y }) => `L${x} ${y}`).join('');
      return `M${run.at(0)?.x} ${UNITS}${line}L${run.at(-1)?.x} ${UNITS}Z`;
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
