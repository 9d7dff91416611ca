/** Most characters of a name that a sentence shows. */
const MAX_SHOWN = 80;

/** A name in double quotes, on one line and cut to a readable length. */
export function quote(text: string): string {
  return JSON.stringify(cut(text));
}

/** A name in single quotes, as sentences about expressions have them, cut to a readable length. */
export function quoteName(text: string): string {
  return `'${cut(text)}'`;
}

function cut(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
