import { parseJsonText } from '@hearth/core/tree/json-text.ts';

/** Is it JSON text, as the server would take it? */
export function isJson(text: string): boolean {
  try {
    parseJsonText(text);
    return true;
  } catch {
    return false;
  }
}
