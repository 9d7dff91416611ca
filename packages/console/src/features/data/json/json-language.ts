import { HighlightStyle, StreamLanguage, type StringStream, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import type { Theme } from '@mui/material/styles';
import { meaningColor } from '../../../theme.ts';

const STRING = /^"(?:[^"\\]|\\.)*"?/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/;

/** JSON as the editor colours it, a piece at a time. */
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

/** Colours of JSON in the present colours of the console. */
export function jsonLanguage(theme: Theme): Extension {
  const style = HighlightStyle.define([
    { tag: tags.propertyName, color: meaningColor(theme, 'key') },
    { tag: tags.string, color: meaningColor(theme, 'string') },
    { tag: tags.number, color: meaningColor(theme, 'number') },
    { tag: tags.bool, color: meaningColor(theme, 'boolean') },
  ]);
  return [JSON_LANGUAGE, syntaxHighlighting(style)];
}
