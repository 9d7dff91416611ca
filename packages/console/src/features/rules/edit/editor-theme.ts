import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { alpha, type Theme } from '@mui/material/styles';
import { MONOSPACE, meaningColor } from '../../../theme.ts';

/** The look of editors in the colours of the console. */
export function editorTheme(theme: Theme): Extension {
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
