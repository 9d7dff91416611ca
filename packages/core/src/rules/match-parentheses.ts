/** A character of a pattern; an escape or a whole class counts as one. */
const ELEMENT = /\\[\s\S]|\[(?:[^\]\\]|\\[\s\S])*\]|[\s\S]/g;

/**
 * Where parentheses of a pattern open a group that nothing closes. A closing one at the start of a group, or of the whole,
 * is a character.
 */
export function findUnmatchedParentheses(source: string): ReadonlySet<number> {
  const open: number[] = [];
  let isStart = true;
  for (const { 0: element, index } of source.matchAll(ELEMENT)) {
    if (element === '(') open.push(index);
    else if (element === ')' && !isStart) open.pop();
    isStart = element === '(';
  }
  return new Set(open);
}
