import { parseRulesDocument, RulesSyntaxError } from '@hearth/core/rules/syntax/document.ts';

/** A token of a rules document. `isClosed` is false for an unterminated string or comment at the end of the text. */
export interface Word {
  readonly kind: 'punctuation' | 'string' | 'line-comment' | 'block-comment' | 'other';
  readonly start: number;
  readonly end: number;
  readonly isClosed: boolean;
}

const WORD =
  /(?<punctuation>[{}[\]:,])|(?<string>"(?:[^"\\]+|\\[\s\S])*("?))|(?<line>\/\/.*)|(?<block>\/\*(?:[^*]+|\*(?!\/))*(?:(\*\/)|\*?$))|(?<other>[^\s{}[\]:,"/]+|\/)/g;

/** Splits a rules document into tokens, even if it is invalid. Whitespace between them is not yielded. */
export function* readWords(text: string): Generator<Word, void, undefined> {
  for (const match of text.matchAll(WORD)) {
    const { index, groups = {} } = match;
    const [whole] = match;
    const span = { start: index, end: index + whole.length };
    if (groups['punctuation'] !== undefined) yield { kind: 'punctuation', ...span, isClosed: true };
    else if (groups['string'] !== undefined) yield { kind: 'string', ...span, isClosed: match[3] === '"' };
    else if (groups['line'] !== undefined) yield { kind: 'line-comment', ...span, isClosed: true };
    else if (groups['block'] !== undefined)
      yield { kind: 'block-comment', ...span, isClosed: match[6] === '*/' };
    else yield { kind: 'other', ...span, isClosed: true };
  }
}

const INDENT = '  ';
/** Maximum length of a list on one line, in characters. */
const MAX_LIST = 80;

/**
 * Formats a document with one property per line, indented by two spaces per level. Strings and comments stay unchanged.
 * Several consecutive empty lines become one. Returns `undefined` if the document is invalid.
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
  /** End of the previous token. */
  #end = 0;
  /** The separator before the next token: nothing, a space, or a line break. */
  #gap: '' | ' ' | '\n' = '';
  /** Number of open lists that are printed on one line. */
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

  /** Adds a comment. A comment on the line of the previous token stays on that line. */
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

/** Returns whether the list at an index has no objects or comments, and fits on one line. */
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
