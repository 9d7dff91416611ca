import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
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
import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import { tags } from '@lezer/highlight';
import Box from '@mui/material/Box';
import { alpha, type Theme, useTheme } from '@mui/material/styles';
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../session/session.ts';
import { meaningColor } from '../../../ui/theme.ts';
import { typeOverSelection } from '../../../ui/type-over-selection.ts';

/** Returns the editor theme with the colors of the console. */
function editorTheme(theme: Theme): Extension {
  const { palette } = theme;
  const highlight = HighlightStyle.define([
    { tag: tags.keyword, color: palette.primary.main, fontWeight: '600' },
    { tag: tags.propertyName, color: palette.text.primary, fontWeight: '600' },
    { tag: tags.variableName, color: meaningColor(theme, 'boolean') },
    { tag: tags.special(tags.variableName), color: meaningColor(theme, 'key'), fontStyle: 'italic' },
    { tag: [tags.string, tags.regexp], color: meaningColor(theme, 'string') },
    { tag: tags.number, color: meaningColor(theme, 'number') },
    { tag: tags.bool, color: meaningColor(theme, 'number'), fontWeight: '600' },
    { tag: tags.comment, color: palette.text.secondary, fontStyle: 'italic' },
    { tag: [tags.operator, tags.punctuation, tags.brace], color: palette.text.secondary },
    { tag: tags.invalid, color: palette.error.main },
  ]);
  const look = EditorView.theme(
    {
      '&': {
        color: palette.text.primary,
        backgroundColor: palette.background.paper,
        height: '100%',
        fontSize: '13px',
      },
      '.cm-scroller': { fontFamily: MONOSPACE, lineHeight: '1.55' },
      '.cm-content': { caretColor: palette.text.primary },
      '&.cm-focused': { outline: `2px solid ${palette.primary.main}`, outlineOffset: '-2px' },
      '.cm-cursor': { borderInlineStartColor: palette.text.primary },
      '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
        backgroundColor: alpha(palette.primary.main, 0.22),
      },
      '.cm-gutters': {
        backgroundColor: palette.background.paper,
        color: palette.text.secondary,
        borderColor: palette.divider,
      },
      '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: alpha(palette.primary.main, 0.06) },
      '.cm-tooltip, .cm-panels': {
        backgroundColor: palette.background.paper,
        color: palette.text.primary,
        borderColor: palette.divider,
      },
      '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
        backgroundColor: palette.primary.main,
        color: palette.primary.contrastText,
      },
      '.cm-tooltip-autocomplete > ul > li[aria-selected] .cm-completionDetail': { color: 'inherit' },
      '.cm-completionDetail': { color: palette.text.secondary },
      '.cm-coverage': { width: '6px', paddingInline: '1px' },
      '.cm-coverage .cm-gutterElement': { padding: '0' },
      '.cm-covered, .cm-partly, .cm-uncovered': { height: '100%', borderInlineStart: '4px solid' },
      '.cm-covered': { borderColor: palette.success.main },
      '.cm-partly': { borderColor: meaningColor(theme, 'key'), borderInlineStartStyle: 'dashed' },
      '.cm-uncovered': { borderColor: palette.error.main, borderInlineStartStyle: 'dotted' },
      '.cm-changedLine': { backgroundColor: alpha(palette.success.main, 0.09) },
      '.cm-changedText': { background: alpha(palette.success.main, 0.16) },
      '.cm-deletedChunk, .cm-deletedLine': { backgroundColor: alpha(palette.error.main, 0.12) },
      '.cm-deletedChunk .cm-chunkButtons button[name=accept]': {
        color: palette.background.paper,
        backgroundColor: palette.success.main,
      },
      '.cm-deletedChunk .cm-chunkButtons button[name=reject]': {
        color: palette.background.paper,
        backgroundColor: palette.error.main,
      },
      '.cm-deletedText': { background: alpha(palette.error.main, 0.16) },
      '.cm-collapsedLines': { background: alpha(palette.text.primary, 0.06), color: palette.text.secondary },
      '.cm-collapsedLines:before, .cm-collapsedLines:after': { color: palette.text.secondary },
    },
    { dark: palette.mode === 'dark' },
  );
  return [look, syntaxHighlighting(highlight)];
}

/** Returns translations of the editor's built-in texts, by their English originals. */
function useEditorPhrases(): Readonly<Record<string, string>> {
  const { t } = useTranslation('rules');
  return useMemo(
    () => ({
      Find: t('editor.find'),
      Replace: t('editor.replaceWith'),
      next: t('editor.next'),
      previous: t('editor.previous'),
      all: t('editor.all'),
      'match case': t('editor.matchCase'),
      'by word': t('editor.byWord'),
      regexp: t('editor.regexp'),
      replace: t('editor.replace'),
      'replace all': t('editor.replaceAll'),
      close: t('editor.close'),
      'Go to line': t('editor.goToLine'),
      go: t('editor.go'),
      Completions: t('editor.completions'),
      Diagnostics: t('editor.problems'),
      'Fold line': t('editor.fold'),
      'Unfold line': t('editor.unfold'),
      'folded code': t('editor.folded'),
      unfold: t('editor.unfold'),
      'Control character': t('editor.controlCharacter'),
      '$ unchanged lines': t('editor.unchanged'),
    }),
    [t],
  );
}

interface CodeEditorProps {
  /** Accessible name of the editor. */
  readonly label: string;
  readonly text: string;
  /** Called with each changed text. Without this function, the editor is read-only. */
  readonly change?: ((text: string) => void) | undefined;
  /** Must stay the same object between renders while nothing changes. */
  readonly extensions: Extension;
  /** Ref to the editor; `null` while it is not mounted. */
  readonly view?: Ref<EditorView | null>;
}

/**
 * Keeps the carriage returns of a document: without this, the editor would replace every line break by a line feed. Pasted text
 * gets line feeds.
 */
const KEEPS_LINE_BREAKS: Extension = [
  EditorState.lineSeparator.of('\n'),
  EditorView.clipboardInputFilter.of((text) => text.replace(/\r\n?/g, '\n')),
];

const BASICS: Extension = [
  KEEPS_LINE_BREAKS,
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
  // Tab is not bound, because keyboard users need it to leave the editor.
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...foldKeymap,
    ...completionKeymap,
  ]),
];

/** A code editor. Its undo history is lost when it is unmounted. */
export function CodeEditor({ label, text, change, extensions, view }: CodeEditorProps) {
  const theme = useTheme();
  const { parameters } = useSession();
  const phrases = useEditorPhrases();
  const host = useRef<HTMLDivElement>(null);
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
    if (host.current === null) return undefined;
    const opened = new EditorView({
      parent: host.current,
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
  return <Box ref={host} dir="ltr" sx={{ flex: 1, minHeight: 0, overflow: 'hidden' }} />;
}

/** Moves the cursor of an editor to an offset, scrolls there and focuses the editor. */
export function goToOffset(view: EditorView | null, offset: number): void {
  if (view === null) return;
  const anchor = Math.min(offset, view.state.doc.length);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
  view.focus();
}
