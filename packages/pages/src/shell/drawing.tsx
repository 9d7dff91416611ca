/** Outlines on a 24 × 24 grid. */
const OUTLINES = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  warning: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 8v4.5M12 15.8v.2',
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3',
  mail: 'M3.5 6h17v12.5h-17zM4 7l8 6 8-6',
  shield: 'M12 3.5l7 2.6v5c0 4.6-2.8 7.5-7 9.4-4.2-1.9-7-4.8-7-9.4v-5z',
  eye: 'M2.5 12C5 7.6 8.3 5.5 12 5.5s7 2.1 9.5 6.5c-2.5 4.4-5.8 6.5-9.5 6.5S5 16.4 2.5 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z',
  ring: 'M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10z',
  slash: 'M4.5 4.5l15 15',
} as const;

export type DrawingName = keyof typeof OUTLINES;

interface DrawingProps {
  /** Drawn on top of each other. */
  readonly names: readonly DrawingName[];
  readonly sizePx?: number;
}

/** A decorative drawing in the color of the surrounding text. */
export function Drawing({ names, sizePx = 24 }: DrawingProps) {
  return (
    <svg
      aria-hidden="true"
      width={sizePx}
      height={sizePx}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {names.map((name) => (
        <path key={name} d={OUTLINES[name]} />
      ))}
    </svg>
  );
}
