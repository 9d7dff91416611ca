import { EditorView } from '@codemirror/view';

/** Puts the cursor of an editor at a place of its text, and the text where it is seen. */
export function goToOffset(view: EditorView | null, offset: number): void {
  if (view === null) return;
  const anchor = Math.min(offset, view.state.doc.length);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
  view.focus();
}
