import { useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';
import { create } from 'zustand';
import { renderDeferred } from '../ui/deferred-render.tsx';
import { type Keys, keysOf } from '../ui/keys.tsx';

/** An available command. The palette and the help sheet list it; its shortcut runs it. */
export interface Command {
  /** Unique among the registered commands, such as `data.addChild`. */
  readonly id: string;
  /** The name of the command, in the language of the page. */
  readonly title: string;
  /** Heading in the palette and the help sheet. */
  readonly group: string;
  readonly keys?: Keys;
  run(): void;
}

interface Registry {
  readonly commands: readonly Command[];
}

/** The commands of all mounted views, in order of registration. */
export const useCommandRegistry = create<Registry>()(() => ({ commands: [] }));

/** Registers commands while the view is mounted. The list must keep its identity between renders. */
export function useCommands(commands: readonly Command[]): void {
  // Registers in the same frame as the render, so that the shortcuts match what is visible.
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

/** Groups commands by heading, in the order of the first command of each group. */
export function groupCommands(commands: readonly Command[]): readonly CommandGroup[] {
  return [...Map.groupBy(commands, ({ group }) => group)].map(([name, ofGroup]) => ({
    name,
    commands: ofGroup,
  }));
}

/** Timeout between the two keys of a sequence, in milliseconds. */
const SEQUENCE_MS = 1_000;

/** Runs commands by their shortcuts. In a field, only shortcuts with `mod` or `alt` run. */
export function useShortcuts(): void {
  // Active in the same frame as the first render, because the user may press keys immediately.
  useLayoutEffect(() => {
    let before: { readonly keys: string; readonly atMs: number } | undefined;
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing) return;
      const keys = keysOf(event);
      // Keys that are typed for the palette must not run commands, even before the field of the palette is loaded.
      const isForText = isTyping(event.target) || useOverlay.getState().kind === 'palette';
      // A field has its own undo.
      if (isForText && (keys === 'mod+z' || !/^(mod|alt)\+/.test(keys))) return;
      const sequence =
        before !== undefined && event.timeStamp - before.atMs < SEQUENCE_MS ? `${before.keys} ${keys}` : '';
      const { commands } = useCommandRegistry.getState();
      // Sequences take precedence over single keys, and inner views over outer ones.
      const command =
        commands.findLast((one) => one.keys === sequence) ?? commands.findLast((one) => one.keys === keys);
      before = { keys, atMs: event.timeStamp };
      if (command === undefined) return;
      event.preventDefault();
      before = undefined;
      renderDeferred();
      // Renders synchronously: the next key may arrive in the same frame and must act on the new state.
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

/** The dialog that covers the console; at most one at a time. */
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
