import { styled } from '@mui/material/styles';
import { encodeQR } from 'qr';
import { useMemo } from 'react';

interface QrCodeProps {
  readonly text: string;
  /** Accessible name of the code. */
  readonly label: string;
}

/** Width, in squares, of the empty margin around the code. Scanners need it to find the code. */
const QUIET_SQUARES = 4;

/** Size of a square: a whole number of pixels, so that all squares have the same size. */
const SQUARE_PX = 4;

/** Scanners need dark squares on a light background, so the colors are the same in every color scheme. */
const DARK = '#000';
const LIGHT = '#fff';

/** Shows a text as a QR code. */
export function QrCode({ text, label }: QrCodeProps) {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <Picture
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={size * SQUARE_PX}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill={LIGHT} />
      <path d={path} fill={DARK} />
    </Picture>
  );
}

const Picture = styled('svg')({
  display: 'block',
  maxWidth: '100%',
  borderRadius: 4,
  forcedColorAdjust: 'none',
});

/** Returns the size of a code in squares, and an SVG path with a rectangle for each run of dark squares in a row. */
function draw(text: string): { readonly size: number; readonly path: string } {
  // A code on a screen is not damaged, so larger squares help scanners more than error correction.
  const rows = encodeQR(text, 'raw', { border: QUIET_SQUARES, ecc: 'low' });
  const path = rows.flatMap((row, y) => runsOf(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`));
  return { size: rows.length, path: path.join('') };
}

/** Returns the start and the length of each run of dark squares in a row. */
function runsOf(row: readonly boolean[]): readonly (readonly [number, number])[] {
  const squares = row.map((isDark) => (isDark ? '1' : '0')).join('');
  return Array.from(squares.matchAll(/1+/g), ({ 0: run, index }) => [index, run.length]);
}
