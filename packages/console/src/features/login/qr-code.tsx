import Box from '@mui/material/Box';
import { encodeQR } from 'qr';
import { useMemo } from 'react';

interface QrCodeProps {
  readonly text: string;
  /** What it is, for those who cannot see it. */
  readonly label: string;
}

/** Squares that stay free on each side: cameras find the code by them. */
const QUIET_SQUARES = 4;

/** A whole number of pixels for each square, so that all are of one size. */
const SQUARE_PX = 4;

/** Cameras want dark on light, whatever the colours of the page are. */
const DARK = '#000';
const LIGHT = '#fff';

/** A text as a QR code. */
export function QrCode({ text, label }: QrCodeProps) {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      sx={{
        display: 'block',
        width: size * SQUARE_PX,
        maxWidth: '100%',
        borderRadius: 1,
        forcedColorAdjust: 'none',
      }}
    >
      <rect width={size} height={size} fill={LIGHT} />
      <path d={path} fill={DARK} />
    </Box>
  );
}

/** Each run of dark squares in a line as one rectangle. */
function draw(text: string): { readonly size: number; readonly path: string } {
  // Nothing on a screen is worn off: larger squares are worth more than squares to mend others with.
  const rows = encodeQR(text, 'raw', { border: QUIET_SQUARES, ecc: 'low' });
  const path = rows.flatMap((row, y) => runsOf(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`));
  return { size: rows.length, path: path.join('') };
}

/** Where the runs of a line begin, and how long they are. */
function runsOf(row: readonly boolean[]): readonly (readonly [number, number])[] {
  const squares = row.map((isDark) => (isDark ? '1' : '0')).join('');
  return Array.from(squares.matchAll(/1+/g), ({ 0: run, index }) => [index, run.length]);
}
