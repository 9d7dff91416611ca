import { createRoot } from 'react-dom/client';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { Hint, Hints } from './tooltip.tsx';

/** Mounts two buttons; the second has a tooltip. */
async function showButtons(name?: string): Promise<readonly [HTMLElement, HTMLElement]> {
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  onTestFinished(() => {
    root.unmount();
    container.remove();
  });
  root.render(
    <>
      <button type="button">Before</button>
      <Hint title="Opens the door" keys="g d">
        <button type="button" aria-label={name}>
          Door
        </button>
      </Hint>
      <Hints />
    </>,
  );
  await expect.poll(() => container.querySelectorAll('button')).toHaveLength(2);
  const [before, door] = container.querySelectorAll('button');
  if (before === undefined || door === undefined) throw new Error('Expected two buttons.');
  return [before, door];
}

const findHint = (): string | undefined => document.querySelector('[role="tooltip"]')?.textContent;

beforeEach(() => userEvent.unhover(document.body));

test('[C399] pointing at an element shows its tooltip with the shortcut, until the pointer leaves', async () => {
  const [before, door] = await showButtons();
  await userEvent.hover(door);
  await expect.poll(findHint).toBe('Opens the doorGD');
  const { id } = document.querySelector('[role="tooltip"]') ?? {};
  expect(door.getAttribute('aria-describedby')).toBe(id);
  await userEvent.hover(before);
  await expect.poll(findHint).toBeUndefined();
  expect(door.hasAttribute('aria-describedby')).toBe(false);
});

test('[C399] keyboard focus shows the tooltip, until Escape', async () => {
  const [before] = await showButtons();
  before.focus();
  await userEvent.tab();
  await expect.poll(findHint).toBe('Opens the doorGD');
  await userEvent.keyboard('{Escape}');
  await expect.poll(findHint).toBeUndefined();
});

test('[C399] a tooltip that equals the name of its element is not also set as its description', async () => {
  const [, door] = await showButtons('Opens the door');
  await userEvent.hover(door);
  await expect.poll(findHint).toBe('Opens the doorGD');
  expect(door.hasAttribute('aria-describedby')).toBe(false);
});
