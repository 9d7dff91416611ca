import type { RuleKind } from '@hearth/core/rules/rule-set.ts';
import { readWords } from './rules-words.ts';

/** What may be written at a place of a rules document. `from` is where the unfinished word begins. */
export type RulesContext =
  /** A name of a location or of a rule; `isQuoted` if its quotes are there. */
  | {
      readonly kind: 'name';
      readonly from: number;
      readonly isQuoted: boolean;
      readonly location: readonly string[];
    }
  /** `text` is the expression up to the place, without escapes. */
  | {
      readonly kind: 'expression';
      readonly rule: RuleKind;
      readonly captures: readonly string[];
      readonly text: string;
    }
  | { readonly kind: 'other' };

interface Level {
  readonly isObject: boolean;
  /** Name of the property that is being written. */
  name: string | undefined;
  isAfterColon: boolean;
}

const RULES: ReadonlyMap<string, RuleKind> = new Map([
  ['.read', 'read'],
  ['.write', 'write'],
  ['.validate', 'validate'],
]);

/** What stands at the end of the beginning of a document, which may be wrong. */
export function findContext(before: string): RulesContext {
  const levels: Level[] = [];
  let open: { readonly start: number } | undefined;
  let wordStart = before.length;
  for (const word of readWords(before)) {
    const level = levels.at(-1);
    const text = before.slice(word.start, word.end);
    if (word.kind.endsWith('comment')) {
      if (!word.isClosed || (word.kind === 'line-comment' && word.end === before.length))
        return { kind: 'other' };
    } else if (word.kind === 'string' && !word.isClosed) open = word;
    else if (word.kind === 'punctuation') applyPunctuation(text, levels);
    else if (level?.isObject === true && !level.isAfterColon) {
      if (word.kind === 'string') level.name = text.slice(1, -1);
      else if (word.end === before.length) wordStart = word.start;
    }
  }
  return contextOf(levels, open?.start, wordStart, before);
}

function applyPunctuation(sign: string, levels: Level[]): void {
  const level = levels.at(-1);
  if (sign === '{' || sign === '[')
    levels.push({ isObject: sign === '{', name: undefined, isAfterColon: false });
  else if (sign === '}' || sign === ']') levels.pop();
  else if (level !== undefined) {
    level.isAfterColon = sign === ':';
    if (sign === ',') level.name = undefined;
  }
}

function contextOf(
  levels: readonly Level[],
  openAt: number | undefined,
  wordStart: number,
  before: string,
): RulesContext {
  const level = levels.at(-1);
  // The first level is the document, of which `rules` is the root of the locations.
  const location = levels.slice(1, -1).flatMap(({ name }) => name ?? []);
  if (level === undefined || !level.isObject) return { kind: 'other' };
  if (!level.isAfterColon) {
    if (level.name !== undefined) return { kind: 'other' };
    const isQuoted = openAt !== undefined;
    return { kind: 'name', from: isQuoted ? openAt + 1 : wordStart, isQuoted, location };
  }
  const rule = RULES.get(level.name ?? '');
  if (rule === undefined || openAt === undefined) return { kind: 'other' };
  const text = before.slice(openAt + 1).replace(/\\(.)/g, '$1');
  return { kind: 'expression', rule, captures: location.filter((name) => name.startsWith('$')), text };
}
