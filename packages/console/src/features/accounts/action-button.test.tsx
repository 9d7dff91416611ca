import { createRoot } from 'react-dom/client';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { useNotices } from '../../ui/notices.tsx';
import { ActionButton } from './password-actions.tsx';

afterEach(() => useNotices.setState({ shown: null }));

/** A button, and each time that it has asked for something. */
async function showButton() {
  const asked: PromiseWithResolvers<void>[] = [];
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  onTestFinished(() => {
    root.unmount();
    container.remove();
  });
  function action(): Promise<void> {
    const one = Promise.withResolvers<void>();
    asked.push(one);
    return one.promise;
  }
  root.render(<ActionButton act={action}>Send</ActionButton>);
  await expect.poll(() => container.querySelector('button')).not.toBeNull();
  const button = container.querySelector('button');
  if (button === null) throw new Error('There is no button.');
  return { asked, button };
}

test('[C433] a button asks once, however often it is pressed, and keeps the keyboard', async () => {
  const { asked, button } = await showButton();
  button.focus();
  await userEvent.keyboard('{Enter}{Enter} ');
  expect(asked).toHaveLength(1);
  expect(button.ariaDisabled).toBe('true');
  expect(document.activeElement).toBe(button);
  asked[0]?.resolve();
  await expect.poll(() => button.ariaDisabled).toBe('false');
  await userEvent.keyboard('{Enter}');
  expect(asked).toHaveLength(2);
});

test('[C433] a failure is told, and the button can be pressed again', async () => {
  const { asked, button } = await showButton();
  await userEvent.click(button);
  asked[0]?.reject(new Error('No mail server answers.'));
  await expect.poll(() => useNotices.getState().shown?.text).toBe('No mail server answers.');
  await expect.poll(() => button.ariaDisabled).toBe('false');
});
