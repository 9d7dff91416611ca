/** An element that is to appear, by a selector and a text in it; and what is clicked to make it appear, if anything is. */
export type Sight = { readonly selector: string; readonly text: string; readonly clicked?: string };

/**
 * Milliseconds from the click, or else from the beginning of the navigation, until an element is drawn. Runs in a page, so
 * it uses nothing of this file. Rejects when there is nothing to click, or nothing to see for half a minute.
 */
export function whenDrawn({ selector, text, clicked }: Sight): Promise<number> {
  return new Promise((resolve, reject) => {
    const startMs = clicked === undefined ? 0 : performance.now();
    const endMs = performance.now() + 30_000;
    const look = (): void => {
      const isThere = [...document.querySelectorAll(selector)].some((element) =>
        element.textContent.includes(text),
      );
      // What is asked for in a frame's callback is done when the frame has been drawn.
      if (isThere) setTimeout(() => resolve(performance.now() - startMs));
      else if (performance.now() > endMs) reject(new Error(`nothing is drawn at ${selector}`));
      else requestAnimationFrame(look);
    };
    if (clicked !== undefined) {
      const target = document.querySelector<HTMLElement>(clicked);
      if (target === null) reject(new Error(`nothing to click at ${clicked}`));
      target?.click();
    }
    look();
  });
}
