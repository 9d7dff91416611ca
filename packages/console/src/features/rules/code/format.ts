import { parseRulesDocument, RulesSyntaxError } from '@hearth/core/rules/syntax/document.ts';

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
    const evaluatedPath = { start: index, end: index + whole.length };
    if (groups['punctuation'] !== undefined) yield { kind: 'punctuation', ...evaluatedPath, isClosed: true };
    else if (groups['string'] !== undefined)
      yield { kind: 'string', ...evaluatedPath, isClosed: match[3] === '"' };
    else if (groups['line'] !== undefined) yield { kind: 'line-comment', ...evaluatedPath, isClosed: true };
    else if (groups['block'] !== undefined)
      yield { kind: 'block-comment', ...evaluatedPath, isClosed: match[6] === '*/' };
    else yield { kind: 'other', ...evaluatedPath, isClosed: true };
  }
}

const INDENT = '  ';
/** Longest list that stays on one line, in characters. */
const MAX_LIST = 80;

/**
 * The document with one property a line, indented by two spaces. Strings and comments stay as they are, and so does one
 * empty line where there were some. `undefined` for what is no document: what its lines belong to is not known.
 */
export function formatRules(source: string): string | undefined {
  try {
    parseRulesDocument(source);
  } catch (cause) {
    if (cause instanceof RulesSyntaxError) return undefined;
    throw cause;
  }
  const printer = new Printer(source);
  const words = [...readWords(source)];
  for (const [index, word] of words.entries()) printer.add(word, words, index);
  return printer.finish();
}

class Printer {
  readonly #source: string;
  #text = '';
  #depth = 0;
  /** End of the word before. */
  #end = 0;
  /** What the next word stands after: nothing, a space, or a new line. */
  #gap: '' | ' ' | '\n' = '';
  /** How many lists are open that stay on one line. */
  #flat = 0;

  constructor(source: string) {
    this.#source = source;
  }

  add(word: Word, words: readonly Word[], index: number): void {
    const text = this.#source.slice(word.start, word.end);
    const between = this.#source.slice(this.#end, word.start);
    this.#end = word.end;
    switch (word.kind) {
      case 'line-comment':
      case 'block-comment':
        this.#addComment(text, between, word.kind);
        return;
      case 'punctuation':
        this.#addPunctuation(text, between, words, index);
        return;
      default:
        this.#put(text, between);
        this.#gap = '';
    }
  }

  finish(): string {
    return `${this.#text}\n`;
  }

  #addPunctuation(text: string, between: string, words: readonly Word[], index: number): void {
    if (text === ':' || text === ',') {
      this.#gap = this.#gap === '\n' && this.#endsWithLineComment() ? '\n' : '';
      this.#put(text, '');
      this.#gap = text === ':' || this.#flat > 0 ? ' ' : '\n';
      return;
    }
    const next = words[index + 1];
    const before = words[index - 1];
    if (text === '{' || text === '[') {
      this.#put(text, between);
      this.#depth += 1;
      if (this.#flat > 0 || (text === '[' && isShortList(this.#source, words, index))) this.#flat += 1;
      const isEmpty =
        next !== undefined && next.kind === 'punctuation' && /[}\]]/.test(this.#source[next.start] ?? '');
      this.#gap = isEmpty || this.#flat > 0 ? '' : '\n';
      return;
    }
    this.#depth -= 1;
    const isEmpty = before?.kind === 'punctuation' && /[{[]/.test(this.#source[before.start] ?? '');
    this.#gap = isEmpty || this.#flat > 0 ? '' : '\n';
    this.#flat = Math.max(this.#flat - 1, 0);
    this.#put(text, '');
    this.#gap = '';
  }

  /** One that stood on the line of what is before it stays there. */
  #addComment(text: string, between: string, kind: Word['kind']): void {
    const isBeside = !between.includes('\n') && this.#text !== '';
    const gap = this.#gap;
    if (isBeside) this.#gap = ' ';
    else if (this.#text !== '') this.#gap = '\n';
    this.#put(text, between);
    this.#gap = kind === 'line-comment' || gap === '\n' || (!isBeside && this.#text !== '') ? '\n' : ' ';
  }

  #put(text: string, between: string): void {
    if (this.#gap === '\n') {
      const isApart = /\n[^\S\n]*\r?\n/.test(between) && !/[{[]$/.test(this.#text);
      this.#text += `${isApart ? '\n' : ''}\n${INDENT.repeat(this.#depth)}`;
    } else this.#text += this.#gap;
    this.#text += text;
  }

  #endsWithLineComment(): boolean {
    return /\/\/.*$/.test(this.#text);
  }
}

/** Is it a list of values without comments that fits on a line? */
function isShortList(source: string, words: readonly Word[], index: number): boolean {
  let length = 0;
  for (const word of words.slice(index + 1, index + MAX_LIST)) {
    if (word.kind === 'punctuation' && source[word.start] === ']') return true;
    if (word.kind.endsWith('comment') || source[word.start] === '{') return false;
    length += word.end - word.start + 1;
    if (length > MAX_LIST) return false;
  }
  return false;
}
