import { useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';
import { drawWhole } from '../elements/later.tsx';
import { useCommandRegistry } from './commands.ts';
import { keysOf } from './keys.ts';

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
