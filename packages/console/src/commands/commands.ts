import { useLayoutEffect } from 'react';
import { create } from 'zustand';
import type { Keys } from './keys.ts';

/** Something that can be done now: from the palette, by its keys, and as the help sheet tells. */
export interface Command {
  /** Unique while it is there: `data.addChild`. */
  readonly id: string;
  /** What it does, in the language of the page. */
  readonly title: string;
  /** Heading that it stands under in the palette and the help sheet. */
  readonly group: string;
  readonly keys?: Keys;
  run(): void;
}

interface Registry {
  readonly commands: readonly Command[];
}

/** The commands of all views on the screen, the latest last. */
export const useCommandRegistry = create<Registry>()(() => ({ commands: [] }));

/** Offers commands as long as the view is on the screen. The list must keep its identity while nothing changes. */
export function useCommands(commands: readonly Command[]): void {
  // With what is drawn, not some time after it: keys mean what the screen says.
  useLayoutEffect(() => {
    useCommandRegistry.setState((registry) => ({ commands: [...registry.commands, ...commands] }));
    return () =>
      useCommandRegistry.setState((registry) => ({
        commands: registry.commands.filter((command) => !commands.includes(command)),
      }));
  }, [commands]);
}
