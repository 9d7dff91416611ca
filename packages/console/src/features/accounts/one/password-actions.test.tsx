import { createRoot } from 'react-dom/client';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { useNotices } from '../../../ui/notices.tsx';
import { ActionButton } from './password-actions.tsx';

afterEach(() => useNotices.setState({ shown: null }));

/** Renders a button. Returns the button, and a list that gets a pending request for each call of the action. */
async function showButton() {
  const requests: PromiseWithResolvers<void>[] = [];
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  onTestFinished(() => {
    root.unmount();
    container.remove();
  });
  function action(): Promise<void> {
    const request = Promise.withResolvers<void>();
    requests.push(request);
    return request.promise;
  }
  root.render(<ActionButton act={action}>Send</ActionButton>);
  await expect.poll(() => container.querySelector('button')).not.toBeNull();
  const button = container.querySelector('button');
  if (button === null) throw new Error('The button was not rendered.');
  return { requests, button };
}

test('[C433] while its request runs, a button sends no second request and keeps the focus', async () => {
  const { requests, button } = await showButton();
  button.focus();
  await userEvent.keyboard('{Enter}{Enter} ');
  expect(requests).toHaveLength(1);
  expect(button.ariaDisabled).toBe('true');
  expect(document.activeElement).toBe(button);
  requests[0]?.resolve();
  await expect.poll(() => button.ariaDisabled).toBe('false');
  await userEvent.keyboard('{Enter}');
  expect(requests).toHaveLength(2);
});

test('[C433] a failure is shown, and the button can be pressed again', async () => {
  const { requests, button } = await showButton();
  await userEvent.click(button);
  requests[0]?.reject(new Error('The mail server does not respond.'));
  await expect.poll(() => useNotices.getState().shown?.text).toBe('The mail server does not respond.');
  await expect.poll(() => button.ariaDisabled).toBe('false');
});
