import { cloneElement, type ReactElement } from 'react';

interface HintProps {
  /** What a button does, or a text in full. */
  readonly title: string;
  /** Those that do the same, as in `Keys`. */
  readonly keys?: string;
  readonly side?: 'bottom' | 'right';
  /** Hands on what it is given to its element, and has a name of its own where its content is none. */
  readonly children: ReactElement<Record<string, unknown>>;
}

/**
 * Says more of an element to whoever points at it, or comes to it with the keyboard. This only marks the element: one
 * component (`Hints`) shows the hints of the whole page, because a page has dozens and shows one.
 */
export function Hint({ title, keys, side, children }: HintProps) {
  return cloneElement(children, { 'data-hint': title, 'data-hint-keys': keys, 'data-hint-side': side });
}
