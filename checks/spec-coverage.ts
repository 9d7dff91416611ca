import type { TextFile } from './repository.ts';
import type { SourceFile } from './source-file.ts';

interface Rule {
  readonly number: string;
  readonly at: string;
}

/** Returns the rules that a document defines: the lines that begin with `- **[T1]**`. */
export function findRules({ path, text }: TextFile): readonly Rule[] {
  return text.split('\n').flatMap((line, index) => {
    const number = /^- \*\*\[([A-Z]\d+)\]\*\*/.exec(line)?.[1];
    return number === undefined ? [] : [{ number, at: `${path}:${index + 1}` }];
  });
}

/**
 * Returns the rules that a file tests: the numbers in brackets at the beginning of its test titles. Includes `[X?]`,
 * which is then reported as not defined.
 */
export function findTestedRules(file: SourceFile): readonly Rule[] {
  return file.strings.flatMap(({ text, line }) => {
    const numbers = /^(?:\[[A-Z](?:\d+|\?)\] ?)+/.exec(text)?.[0].match(/[A-Z][\d?]+/g) ?? [];
    return numbers.map((number) => ({ number, at: `${file.path}:${line}` }));
  });
}

export function checkDefinedOnce(rules: readonly Rule[]): readonly string[] {
  const first = new Map<string, string>();
  return rules.flatMap(({ number, at }) => {
    const earlier = first.get(number);
    first.set(number, earlier ?? at);
    return earlier === undefined ? [] : [`${at}: [${number}] is already defined at ${earlier}`];
  });
}

export function checkTested(rules: readonly Rule[], tested: readonly Rule[]): readonly string[] {
  const numbers = new Set(tested.map(({ number }) => number));
  return rules
    .filter(({ number }) => !numbers.has(number))
    .map(({ number, at }) => `${at}: [${number}] has no test`);
}

export function checkKnown(rules: readonly Rule[], tested: readonly Rule[]): readonly string[] {
  const numbers = new Set(rules.map(({ number }) => number));
  return tested
    .filter(({ number }) => !numbers.has(number))
    .map(({ number, at }) => `${at}: [${number}] is not defined`);
}
