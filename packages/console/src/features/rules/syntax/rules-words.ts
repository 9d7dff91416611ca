/** A piece of a rules document. `isClosed` is false for a string or comment that the text ends in. */
export interface Word {
  readonly kind: 'punctuation' | 'string' | 'line-comment' | 'block-comment' | 'other';
  readonly start: number;
  readonly end: number;
  readonly isClosed: boolean;
}

const WORD =
  /(?<punctuation>[{}[\]:,])|(?<string>"(?:[^"\\]+|\\[\s\S])*("?))|(?<line>\/\/.*)|(?<block>\/\*(?:[^*]+|\*(?!\/))*(?:(\*\/)|\*?$))|(?<other>[^\s{}[\]:,"/]+|\/)/g;

/** Cuts a rules document into words, whatever is wrong with it. White space is between them. */
export function* readWords(text: string): Generator<Word, void, undefined> {
  for (const match of text.matchAll(WORD)) {
    const { index, groups = {} } = match;
    const [whole] = match;
    const place = { start: index, end: index + whole.length };
    if (groups['punctuation'] !== undefined) yield { kind: 'punctuation', ...place, isClosed: true };
    else if (groups['string'] !== undefined) yield { kind: 'string', ...place, isClosed: match[3] === '"' };
    else if (groups['line'] !== undefined) yield { kind: 'line-comment', ...place, isClosed: true };
    else if (groups['block'] !== undefined)
      yield { kind: 'block-comment', ...place, isClosed: match[6] === '*/' };
    else yield { kind: 'other', ...place, isClosed: true };
  }
}
