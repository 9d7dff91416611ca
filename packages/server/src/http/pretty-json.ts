const INDENT = '  ';
/** Strings, punctuation, and everything else that is not white space. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/**
 * Valid JSON text, indented by two spaces per level and ended by a newline. Works on the text, so that numbers keep
 * every digit.
 */
export function prettyJson(json: string): string {
  let text = '';
  let indent = '';
  let isEmptySoFar = false;
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '}' || token === ']') {
      indent = indent.slice(INDENT.length);
      text += isEmptySoFar ? token : `\n${indent}${token}`;
      isEmptySoFar = false;
      continue;
    }
    if (isEmptySoFar) text += `\n${indent}`;
    isEmptySoFar = token === '{' || token === '[';
    if (token === ',') text += `,\n${indent}`;
    else text += token === ':' ? ' : ' : token;
    if (isEmptySoFar) indent += INDENT;
  }
  return `${text}\n`;
}
