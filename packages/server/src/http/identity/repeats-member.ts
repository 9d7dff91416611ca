/**
 * Does an object in a JSON text name a member twice? One program would take the first, another the last. `members` is the number
 * of those that reading it has left.
 */
export function repeatsMember(text: string, members: number): boolean {
  return countNames(text) !== members;
}

/** The strings of a JSON text that a colon follows. */
function countNames(text: string): number {
  let names = 0;
  for (let open = text.indexOf('"'); open >= 0; ) {
    const close = endOfString(text, open);
    let next = close + 1;
    while (isSpace(text.charCodeAt(next))) next++;
    if (text[next] === ':') names++;
    open = text.indexOf('"', close + 1);
  }
  return names;
}

/** Where a string ends that begins at `open`. */
function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close;
}

/** Does an odd number of backslashes stand before it? */
function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text[before - 1] === '\\') before--;
  return (at - before) % 2 === 1;
}

/** Is it one of the four characters that are space in JSON? */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
