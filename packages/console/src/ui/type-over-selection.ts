import { EditorView } from '@codemirror/view';

/**
 * Replaces the selection of an editor with typed text. Chromium would otherwise copy the style of the replaced text to an
 * inline style, which the Content Security Policy of the page blocks with an error in the browser console.
 */
export const typeOverSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType, data: text } = event;
    const { from, to, empty } = view.state.selection.main;
    if (inputType !== 'insertText' || text === null || empty || view.composing || view.state.readOnly)
      return false;
    const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type' });
    const isTaken = view.state
      .facet(EditorView.inputHandler)
      .some((handle) => handle(view, from, to, text, insert));
    if (!isTaken) view.dispatch(insert());
    return true;
  },
});
