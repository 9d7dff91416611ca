import type { Step } from '../../../server/rules-trace.ts';
import { tellingSteps } from './telling-steps.ts';

/** A rule's text cut where the parts begin and end that came to something. */
export type TracePiece =
  | { readonly kind: 'text'; readonly start: number; readonly text: string }
  | {
      readonly kind: 'step';
      readonly step: Step;
      readonly text: string;
      readonly pieces: readonly TracePiece[];
      /** Is nothing within it that is told by itself? */
      readonly isLeaf: boolean;
    };

export type StepPiece = Extract<TracePiece, { kind: 'step' }>;

/** The text of a step of `source`, cut into pieces. */
export function tracePieces(step: Step, source: string): StepPiece {
  const { start, end } = step.span;
  const parts = tellingSteps(step, source);
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

/** The steps of a piece, outer ones before those within them. */
export function stepsOf(piece: StepPiece): readonly StepPiece[] {
  return [piece, ...piece.pieces.flatMap((part) => (part.kind === 'step' ? stepsOf(part) : []))];
}
