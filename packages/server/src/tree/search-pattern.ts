import { NODE_ID_BYTES } from '../kv/keys.ts';
import { TEXT_MARK } from '../kv/sort-key.ts';
import { encodeUtf16Bytes } from '../kv/utf16-bytes.ts';
import { blobText, TEXT_OFFSET } from './entry.ts';

/** A text that is looked for, and how. */
export interface SearchTerm {
  /** Not empty, and without lone surrogates. */
  readonly text: string;
  readonly match: 'substring' | 'prefix' | 'exact';
  /** When not, letters count as in regular expressions with the flag `i`. */
  readonly isCaseSensitive: boolean;
}

export interface SearchPattern {
  matches(text: string): boolean;
  /** May a key or a value in a blob match? `false` is certain, and found out without reading the blob as JSON. */
  mayBeIn(blob: Buffer): boolean;
  /** May the child's key in the key of an entry match? `false` is certain, and found out without decoding it. */
  mayBeKey(entryKey: Buffer): boolean;
}

export function compileSearchTerm({ text, match, isCaseSensitive }: SearchTerm): SearchPattern {
  // What JSON writes between quotes: characters are escaped one by one, so a part of a text is a part of its JSON.
  const escaped = JSON.stringify(text).slice(1, -1);
  if (isCaseSensitive)
    return { matches: exactMatcher(text, match), mayBeIn: byteFinder(escaped), mayBeKey: keyFinder(text) };
  const pattern = regExpOf(text, match);
  return {
    matches: (candidate) => pattern.test(candidate),
    mayBeIn: foldingFinder(escaped),
    mayBeKey: () => true,
  };
}

function exactMatcher(text: string, match: SearchTerm['match']): (candidate: string) => boolean {
  switch (match) {
    case 'substring':
      return (candidate) => candidate.includes(text);
    case 'prefix':
      return (candidate) => candidate.startsWith(text);
    case 'exact':
      return (candidate) => candidate === text;
    default:
      return match satisfies never;
  }
}

function regExpOf(text: string, match: SearchTerm['match']): RegExp {
  const literal = text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const start = match === 'substring' ? '' : '^';
  const end = match === 'exact' ? '$' : '';
  return new RegExp(`${start}${literal}${end}`, 'i');
}

function byteFinder(escaped: string): (blob: Buffer) => boolean {
  const bytes = Buffer.from(escaped);
  return (blob) => blob.includes(bytes, TEXT_OFFSET);
}

function keyFinder(text: string): (entryKey: Buffer) => boolean {
  const bytes = encodeUtf16Bytes(text);
  return (entryKey) => entryKey[NODE_ID_BYTES] !== TEXT_MARK || entryKey.includes(bytes, NODE_ID_BYTES);
}

function foldingFinder(escaped: string): (blob: Buffer) => boolean {
  const pattern = regExpOf(escaped, 'substring');
  // ASCII letters match each other only, so the bytes need not be decoded to find them.
  const isAscii = [...escaped].every((character) => character < '\u0080');
  return isAscii
    ? (blob) => pattern.test(blob.toString('latin1', TEXT_OFFSET))
    : (blob) => pattern.test(blobText(blob));
}
