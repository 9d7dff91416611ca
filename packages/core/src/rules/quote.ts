/** Most characters of a name that a sentence shows. */
const MAX_SHOWN = 80;

/** A name in double quotes, on one line and cut to a readable length. */
export function quote(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
