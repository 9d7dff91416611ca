import type { EditorView } from '@codemirror/view';
import { type RefObject, useEffect } from 'react';
import { goToOffset } from './go-to-offset.ts';

/** Shows a line of an editor when it is first there; counted from 1, 0 for none. */
export function useGoToLine(view: RefObject<EditorView | null>, line: number): void {
  useEffect(() => {
    if (line === 0) return undefined;
    // The editor is made after the views that it is part of.
    const frame = requestAnimationFrame(() => {
      const doc = view.current?.state.doc;
      if (doc !== undefined && line >= 1 && line <= doc.lines) goToOffset(view.current, doc.line(line).from);
    });
    return () => cancelAnimationFrame(frame);
  }, [view, line]);
}
