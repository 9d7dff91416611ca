/** What is sought that is longer than this, in a text that makes the product of the two lengths larger: the engine's own search might take long. */
const MAX_SOUGHT = 8;
const MAX_PRODUCT = 65_536;

/** Where `sought` first occurs in `text` at or after `from`; -1 if nowhere. In time linear in both, whatever they are. */
export function findText(text: string, sought: string, from = 0): number {
  return sought.length <= MAX_SOUGHT || (text.length - from) * sought.length <= MAX_PRODUCT
    ? text.indexOf(sought, from)
    : findLongText(text, sought, from);
}

/** The search of Knuth, Morris and Pratt: never looks back in the text. */
function findLongText(text: string, sought: string, from: number): number {
  const borders = findBorders(sought);
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    matched = extendMatch(sought, borders, matched, unit);
    if (matched === sought.length) return at - matched + 1;
  }
  return -1;
}

/** At i, the length of the longest text that both begins and ends the first i + 1 units, and is shorter than they are. */
function findBorders(sought: string): Int32Array {
  const borders = new Int32Array(sought.length);
  for (let i = 1; i < sought.length; i++)
    borders[i] = extendMatch(sought, borders, borders[i - 1] ?? 0, sought.charCodeAt(i));
  return borders;
}

/** How much of `sought` is matched after one more unit. */
function extendMatch(sought: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && sought.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
  return sought.charCodeAt(length) === unit ? length + 1 : length;
}
