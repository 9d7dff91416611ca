import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { GutterMarker, gutter } from '@codemirror/view';
import type { LineCoverage, LineState } from './line-coverage.ts';

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

/** Beside each line with a condition, what test cases made of it; `titles` say that in words. */
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
