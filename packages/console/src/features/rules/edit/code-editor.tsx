import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { typeOverSelection } from '../../../elements/type-over-selection.ts';
import { useSession } from '../../../session/session.ts';
import { editorTheme } from './editor-theme.ts';
import { useEditorPhrases } from './use-editor-phrases.ts';

interface CodeEditorProps {
  /** What is edited, for whoever does not see it. */
  readonly label: string;
  readonly text: string;
  /** Told of every text that is typed; without it the text is only shown. */
  readonly change?: ((text: string) => void) | undefined;
  /** Must keep its identity while nothing changes. */
  readonly extensions: Extension;
  /** The editor while it is on the screen. */
  readonly view?: Ref<EditorView | null>;
}

const BASICS: Extension = [
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  foldGutter(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  EditorView.lineWrapping,
  // The key Tab is left to who moves on with it.
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...completionKeymap,
  ]),
];

/** An editor of code. What is undone and redone is of one appearance on the screen. */
export function CodeEditor({ label, text, change, extensions, view }: CodeEditorProps) {
  const theme = useTheme();
  const { parameters } = useSession();
  const phrases = useEditorPhrases();
  const place = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<EditorView | null>(null);
  const [changing] = useState(() => new Compartment());
  const latest = useRef({ change, text });
  latest.current = { change, text };
  const isReadOnly = change === undefined;
  const variable = useMemo(
    (): Extension => [
      editorTheme(theme),
      EditorState.phrases.of(phrases),
      EditorState.readOnly.of(isReadOnly),
      EditorView.contentAttributes.of({
        'aria-label': label,
        dir: 'ltr',
        'aria-readonly': String(isReadOnly),
      }),
      extensions,
    ],
    [theme, phrases, isReadOnly, label, extensions],
  );
  const first = useRef(variable);
  useEffect(() => {
    if (place.current === null) return undefined;
    const opened = new EditorView({
      parent: place.current,
      doc: latest.current.text,
      extensions: [
        EditorView.cspNonce.of(parameters.styleNonce),
        typeOverSelection,
        BASICS,
        autocompletion(),
        changing.of(first.current),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          const typed = update.state.doc.toString();
          if (typed !== latest.current.text) latest.current.change?.(typed);
        }),
      ],
    });
    setEditor(opened);
    return () => opened.destroy();
  }, [changing, parameters.styleNonce]);
  useEffect(() => {
    editor?.dispatch({ effects: changing.reconfigure(variable) });
  }, [editor, changing, variable]);
  useEffect(() => {
    if (editor === null || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [editor, text]);
  useImperativeHandle<EditorView | null, EditorView | null>(view, () => editor, [editor]);
  return <Box ref={place} dir="ltr" sx={{ flex: 1, minHeight: 0, overflow: 'hidden' }} />;
}
