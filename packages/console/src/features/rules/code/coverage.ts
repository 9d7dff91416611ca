import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { GutterMarker, gutter } from '@codemirror/view';
import type { RuleCoverage } from '@hearth/core/rules/explain/coverage.ts';
import { LineIndex } from '@hearth/core/rules/syntax/problems.ts';

/**
 * `covered`: each expression of the line was both true and false, or is a constant that was evaluated. `uncovered`: no expression
 * was evaluated. `partly`: anything else.
 */
export type LineState = 'covered' | 'partly' | 'uncovered';

export interface LineCoverage {
  /** Counted from 1. */
  readonly line: number;
  readonly state: LineState;
}

/** Returns the coverage of the expressions that begin on each line of rules, in line order. */
export function lineCoverage(source: string, rules: readonly RuleCoverage[]): readonly LineCoverage[] {
  const lines = new LineIndex(source);
  const states = new Map<number, readonly LineState[]>();
  for (const { span, timesTrue, timesFalse } of rules.flatMap(({ expressions }) => expressions)) {
    const text = source.slice(span.start, span.end);
    // A constant cannot be both true and false.
    const isConstant = text === 'true' || text === 'false';
    const { line } = lines.positionOf(span.start);
    states.set(line, [...(states.get(line) ?? []), stateOf(timesTrue, timesFalse, isConstant)]);
  }
  return [...states]
    .map(([line, all]) => ({
      line,
      state: all.every((one) => one === all[0]) ? (all[0] ?? 'partly') : 'partly',
    }))
    .sort((a, b) => a.line - b.line);
}

function stateOf(timesTrue: number, timesFalse: number, isConstant: boolean): LineState {
  if (timesTrue === 0 && timesFalse === 0) return 'uncovered';
  return isConstant || (timesTrue > 0 && timesFalse > 0) ? 'covered' : 'partly';
}

const CLASSES: Readonly<Record<LineState, string>> = {
  covered: 'cm-covered',
  partly: 'cm-partly',
  uncovered: 'cm-uncovered',
};

class CoverageMarker extends GutterMarker {
  readonly #state: LineState;
  readonly #title: string;

  constructor(state: LineState, title: string) {
    super();
    this.#state = state;
    this.#title = title;
  }

  override eq(other: GutterMarker): boolean {
    return other instanceof CoverageMarker && other.#state === this.#state && other.#title === this.#title;
  }

  override toDOM(): Node {
    const mark = document.createElement('div');
    mark.className = CLASSES[this.#state];
    mark.title = this.#title;
    return mark;
  }
}

/** Returns a gutter that marks the coverage of each line with an expression. `titles` are the tooltips. */
export function coverageGutter(
  lines: readonly LineCoverage[],
  titles: Readonly<Record<LineState, string>>,
): Extension {
  return gutter({
    class: 'cm-coverage',
    markers: ({ state }) => {
      const builder = new RangeSetBuilder<GutterMarker>();
      for (const { line, state: covered } of lines) {
        if (line > state.doc.lines) break;
        const { from } = state.doc.line(line);
        builder.add(from, from, new CoverageMarker(covered, titles[covered]));
      }
      return builder.finish();
    },
  });
}
