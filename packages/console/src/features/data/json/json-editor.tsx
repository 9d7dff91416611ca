import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap } from '@codemirror/language';
import { searchKeymap } from '@codemirror/search';
import { EditorState, Transaction } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { useEffect, useRef } from 'react';
import { typeOverSelection } from '../../../elements/type-over-selection.ts';
import { useSession } from '../../../session/session.ts';
import { MONOSPACE } from '../../../theme.ts';
import type { LineMark } from '../staged/mark-lines.ts';
import { useStageWords } from '../staged/stage-sign.tsx';
import { jsonLanguage } from './json-language.ts';
import { showMarks, stageMarks } from './stage-marks.ts';

interface JsonEditorProps {
  readonly label: string;
  readonly text: string;
  /** Signs on lines of the text. */
  readonly marks: readonly LineMark[];
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
}

/** JSON text to read and edit. Another `text` takes the place of what is there. */
export function JsonEditor({ label, text, marks, isReadOnly, onChange }: JsonEditorProps) {
  const theme = useTheme();
  const { parameters } = useSession();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const printSign = useStageWords();
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
