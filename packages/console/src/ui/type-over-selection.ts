import { EditorView } from '@codemirror/view';

/**
 * An editor extension that replaces the selection with typed text. Without this extension, Chromium copies the style of the
 * replaced text to an inline style. The Content Security Policy of the page blocks this style with an error in the browser
 * console.
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
