import type { Command } from './commands.ts';

export interface CommandGroup {
  readonly name: string;
  readonly commands: readonly Command[];
}

/** Commands under their headings, in the order in which they come. */
export function groupCommands(commands: readonly Command[]): readonly CommandGroup[] {
  return [...Map.groupBy(commands, ({ group }) => group)].map(([name, ofGroup]) => ({
    name,
    commands: ofGroup,
  }));
}
