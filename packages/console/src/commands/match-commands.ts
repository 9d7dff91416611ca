import type { Command } from './commands.ts';

/**
 * Commands whose title or heading has all words of a text, in any order and case: those first whose title begins with it, then
 * those that have it in the title, else as they come.
 */
export function matchCommands(commands: readonly Command[], text: string): readonly Command[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return commands;
  const wanted = words.join(' ');
  const rank = (command: Command): number => {
    const title = fold(command.title);
    if (title.startsWith(wanted)) return 0;
    return words.every((word) => title.includes(word)) ? 1 : 2;
  };
  return commands
    .filter(({ title, group }) => words.every((word) => fold(`${group} ${title}`).includes(word)))
    .toSorted((left, right) => rank(left) - rank(right));
}

/** Without case and accents, as people type in a hurry. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();
}
