import { useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';
import { create } from 'zustand';
import { drawWhole } from '../ui/deferred-render.tsx';
import { type Keys, keysOf } from '../ui/keys.tsx';

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

/** How long the second of two strokes may take, in milliseconds. */
const SEQUENCE_MS = 1_000;

/** Runs commands by their keys. Without `mod` or `alt`, keys typed into a field are text. */
export function useShortcuts(): void {
  // With what is drawn first, whose keys may be pressed as soon as it is seen.
  useLayoutEffect(() => {
    let before: { readonly keys: string; readonly atMs: number } | undefined;
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing) return;
      const keys = keysOf(event);
      if (isTyping(event.target) && !/^(mod|alt)\+/.test(keys)) return;
      const sequence =
        before !== undefined && event.timeStamp - before.atMs < SEQUENCE_MS ? `${before.keys} ${keys}` : '';
      const { commands } = useCommandRegistry.getState();
      // Two strokes count before one, and the latest view before those around it.
      const command =
        commands.findLast((one) => one.keys === sequence) ?? commands.findLast((one) => one.keys === keys);
      before = { keys, atMs: event.timeStamp };
      if (command === undefined) return;
      event.preventDefault();
      before = undefined;
      drawWhole();
      // Drawn before the next key, which may come within the same frame and is to act on what this one has made.
      flushSync(() => command.run());
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName)) &&
    !/^(checkbox|radio|button)$/.test(target.getAttribute('type') ?? '')
  );
}

/** What stands over the whole console, if anything: one at a time. */
export type OverlayKind = 'none' | 'palette' | 'help' | 'new-project';

interface Overlay {
  readonly kind: OverlayKind;
}

export const useOverlay = create<Overlay>()(() => ({ kind: 'none' }));

export function openOverlay(kind: Exclude<OverlayKind, 'none'>): void {
  useOverlay.setState({ kind });
}

export function closeOverlay(): void {
  useOverlay.setState({ kind: 'none' });
}
