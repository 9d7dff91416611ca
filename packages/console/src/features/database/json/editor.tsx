import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  StreamLanguage,
  type StringStream,
  syntaxHighlighting,
} from '@codemirror/language';
import { searchKeymap } from '@codemirror/search';
import {
  EditorState,
  type Extension,
  RangeSet,
  StateEffect,
  StateField,
  Transaction,
} from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  GutterMarker,
  gutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import { tags } from '@lezer/highlight';
import Box from '@mui/material/Box';
import { type Theme, useTheme } from '@mui/material/styles';
import { useEffect, useRef } from 'react';
import { useSession } from '../../../session/session.ts';
import { meaningColor } from '../../../ui/theme.ts';
import { typeOverSelection } from '../../../ui/type-over-selection.ts';
import type { ExactValue } from '../model/leaf-value.ts';
import { SIGNS, useSignText } from '../staging/marks.tsx';
import type { ChangeSign, Difference } from '../staging/overlay.ts';

/** A line number, starting at 1, and the kind of change in the line. */
export interface LineMark {
  readonly line: number;
  readonly sign: ChangeSign;
}

/** Maximum number of marked differences. */
const MAX_MARKED = 500;

/**
 * Returns the changed lines of a JSON text printed by `printExact`. A removed node marks the first line of its nearest
 * ancestor that exists.
 */
export function markLines(text: string, differences: readonly Difference[]): readonly LineMark[] {
  if (differences.length === 0) return [];
  const value = parseJsonText(text);
  const signs = new Map<number, ChangeSign>();
  for (const { keys, sign } of differences.slice(0, MAX_MARKED)) {
    const span = findLines(value, keys);
    if (span === undefined) {
      const line = lineAbove(value, keys);
      if (!signs.has(line)) signs.set(line, 'removed');
    } else for (let line = span.first; line <= span.last; line++) signs.set(line, sign);
  }
  return [...signs].map(([line, sign]) => ({ line, sign })).sort((a, b) => a.line - b.line);
}

/** A range of lines, including the last. */
interface LineSpan {
  readonly first: number;
  readonly last: number;
}

function findLines(value: ExactValue, keys: readonly string[], first = 1): LineSpan | undefined {
  const [key, ...below] = keys;
  if (key === undefined) return { first, last: first + countLines(value) - 1 };
  let line = first + 1;
  for (const [name, member] of membersOf(value)) {
    if (name === key) return findLines(member, below, line);
    line += countLines(member);
  }
  return undefined;
}

/** Returns the first line of the nearest ancestor that exists. */
function lineAbove(value: ExactValue, keys: readonly string[]): number {
  return findLines(value, keys.slice(0, -1))?.first ?? lineAbove(value, keys.slice(0, -1));
}

function countLines(value: ExactValue): number {
  const members = membersOf(value);
  return members.length === 0 ? 1 : members.reduce((sum, [, member]) => sum + countLines(member), 2);
}

function membersOf(value: ExactValue): readonly (readonly [string, ExactValue])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

const STRING = /^"(?:[^"\\]|\\.)*"?/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/;

/** Tokenizer for the colors of JSON. */
const JSON_LANGUAGE = StreamLanguage.define({
  name: 'json',
  token(stream: StringStream) {
    if (stream.eatSpace()) return null;
    if (stream.match(STRING)) return stream.match(/^\s*:/, false) ? 'propertyName' : 'string';
    if (stream.match(NUMBER)) return 'number';
    if (stream.match(/^(?:true|false|null)\b/)) return 'bool';
    stream.next();
    return null;
  },
  languageData: { closeBrackets: { brackets: ['{', '[', '"'] } },
});

/** Returns the JSON language with the colors of the theme. */
function jsonLanguage(theme: Theme): Extension {
  const style = HighlightStyle.define([
    { tag: tags.propertyName, color: meaningColor(theme, 'key') },
    { tag: tags.string, color: meaningColor(theme, 'string') },
    { tag: tags.number, color: meaningColor(theme, 'number') },
    { tag: tags.bool, color: meaningColor(theme, 'boolean') },
  ]);
  return [JSON_LANGUAGE, syntaxHighlighting(style)];
}

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

/** Returns an extension that highlights changed lines, with signs in the gutter. `print` returns the meaning of a sign. */
function stageMarks(print: (sign: ChangeSign) => string, theme: Theme): Extension {
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

/** Replaces the marks of an editor. */
function showMarks(editor: EditorView, marks: readonly LineMark[]): void {
  editor.dispatch({ effects: setMarks.of(marks) });
}

interface JsonEditorProps {
  readonly label: string;
  readonly text: string;
  /** Marks on changed lines. */
  readonly marks: readonly LineMark[];
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
}

/** Shows JSON text to read or edit. A new `text` replaces the content of the editor. */
export function JsonEditor({ label, text, marks, isReadOnly, onChange }: JsonEditorProps) {
  const theme = useTheme();
  const { parameters } = useSession();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const printSign = useSignText();
  const latest = useRef({ text, marks, onChange });
  latest.current = { text, marks, onChange };
  useEffect(() => {
    if (host.current === null) return;
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: [
          EditorView.cspNonce.of(parameters.styleNonce),
          typeOverSelection,
          stageMarks(printSign, theme),
          lineNumbers(),
          foldGutter(),
          highlightSpecialChars(),
          history(),
          drawSelection(),
          bracketMatching(),
          EditorView.lineWrapping,
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({ 'aria-label': label, dir: 'ltr' }),
          EditorView.updateListener.of((update) => {
            const isTyped = update.transactions.some(
              (one) => one.annotation(Transaction.userEvent) !== undefined,
            );
            if (update.docChanged && isTyped) latest.current.onChange(update.state.doc.toString());
          }),
          keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...searchKeymap]),
          jsonLanguage(theme),
          EditorView.theme(
            {
              '&': { height: '100%', fontSize: '0.875rem' },
              '.cm-scroller': { fontFamily: MONOSPACE, lineHeight: '1.5' },
              '.cm-gutters': {
                background: 'transparent',
                color: theme.palette.text.secondary,
                border: 'none',
              },
              '.cm-content': { caretColor: theme.palette.text.primary },
              '&.cm-focused': { outline: `2px solid ${theme.palette.primary.main}`, outlineOffset: '-2px' },
              '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
                background: theme.palette.action.focus,
              },
            },
            { dark: theme.palette.mode === 'dark' },
          ),
        ],
      }),
    });
    view.current = editor;
    showMarks(editor, latest.current.marks);
    return () => editor.destroy();
  }, [theme, parameters.styleNonce, isReadOnly, label, printSign]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);
  useEffect(() => {
    if (view.current !== null) showMarks(view.current, marks);
  }, [marks]);
  return (
    <Box
      ref={host}
      dir="ltr"
      sx={{
        flex: 1,
        minHeight: 240,
        overflow: 'hidden',
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        bgcolor: 'background.paper',
      }}
    />
  );
}
