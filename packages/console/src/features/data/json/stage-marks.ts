import { type Extension, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, GutterMarker, gutter } from '@codemirror/view';
import type { Theme } from '@mui/material/styles';
import { meaningColor } from '../../../theme.ts';
import type { ChangeSign } from '../staged/differences.ts';
import type { LineMark } from '../staged/mark-lines.ts';
import { SIGNS } from '../staged/stage-sign.tsx';

const setMarks = StateEffect.define<readonly LineMark[]>();

interface Marks {
  readonly lines: DecorationSet;
  readonly signs: RangeSet<GutterMarker>;
}

class SignMarker extends GutterMarker {
  readonly #sign: string;
  readonly #meaning: string;

  constructor(sign: string, meaning: string) {
    super();
    this.#sign = sign;
    this.#meaning = meaning;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.textContent = this.#sign;
    element.title = this.#meaning;
    return element;
  }
}

const LINE = Decoration.line({ class: 'cm-staged' });

/** Lines that staged edits change, each with a sign before it. `print` says what a sign means. */
export function stageMarks(print: (sign: ChangeSign) => string, theme: Theme): Extension {
  const field = StateField.define<Marks>({
    create: () => ({ lines: Decoration.none, signs: RangeSet.empty }),
    update(marks, { effects, state, changes }) {
      const set = effects.find((effect) => effect.is(setMarks));
      if (set === undefined || !set.is(setMarks))
        return { lines: marks.lines.map(changes), signs: marks.signs.map(changes) };
      const found = set.value.filter(({ line }) => line <= state.doc.lines);
      const from = ({ line }: LineMark): number => state.doc.line(line).from;
      return {
        lines: Decoration.set(found.map((mark) => LINE.range(from(mark)))),
        signs: RangeSet.of(
          found.map((mark) => new SignMarker(SIGNS[mark.sign], print(mark.sign)).range(from(mark))),
        ),
      };
    },
    provide: (marks) => EditorView.decorations.from(marks, ({ lines }) => lines),
  });
  return [
    field,
    gutter({ class: 'cm-stageSigns', markers: (view) => view.state.field(field).signs }),
    EditorView.theme({
      '.cm-staged': { background: meaningColor(theme, 'staged') },
      '.cm-stageSigns': { minWidth: '1.4em', textAlign: 'center', fontWeight: '700' },
    }),
  ];
}

/** Puts marks in the place of those that an editor shows. */
export function showMarks(editor: EditorView, marks: readonly LineMark[]): void {
  editor.dispatch({ effects: setMarks.of(marks) });
}
