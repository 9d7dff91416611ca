import { EditorView } from '@codemirror/view';

/**
 * Replaces a selection in an editor by what is typed. Left to itself, Chromium keeps the look of what it replaces by a style of its
 * own in the line, which the policy of the page forbids and the console of the browser then complains of.
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
