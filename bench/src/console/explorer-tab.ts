import { closeSync, openSync, writeSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright';
import { pause, readClockMs } from '../measure/time.ts';
import { findTabProcess } from './browser.ts';

const CHILDREN_PER_WRITE = 10_000;

/** Writes JSON of one node `list` with small children, in order of their keys. */
export function writeListFile(path: string, children: number): void {
  const file = openSync(path, 'w');
  writeSync(file, '{"list":{');
  for (let first = 0; first < children; first += CHILDREN_PER_WRITE) {
    const count = Math.min(CHILDREN_PER_WRITE, children - first);
    const members = Array.from({ length: count }, (_, location) => listMember(first + location));
    writeSync(file, `${first === 0 ? '' : ','}${members.join(',')}`);
  }
  writeSync(file, '}}');
  closeSync(file);
}

/** Number of a child of the list, from its key. */
function parseListKey(key: string): number {
  return Number(key.slice(1));
}

/** What the name of a child is, as long as nobody changes it. */
function listName(number: number): string {
  return `user ${number}`;
}

function listMember(number: number): string {
  const key = `k${String(number).padStart(7, '0')}`;
  return `"${key}":{"name":"${listName(number)}","score":${number % 1_000}}`;
}

/**
 * The longest task of a page within `durationMs` from now, in milliseconds; browsers tell only of those of 50 and more, so 0
 * when there was none. Runs in the page, so it uses nothing of this file.
 */
function findLongestTask(durationMs: number): Promise<number> {
  return new Promise((resolve) => {
    let longestMs = 0;
    const keep = (entries: readonly PerformanceEntry[]): void => {
      for (const { duration } of entries) longestMs = Math.max(longestMs, duration);
    };
    const observer = new PerformanceObserver((list) => keep(list.getEntries()));
    observer.observe({ type: 'longtask' });
    setTimeout(() => {
      keep(observer.takeRecords());
      observer.disconnect();
      resolve(longestMs);
    }, durationMs);
  });
}

/** An element that is to appear, by a selector and a text in it; and what is clicked to make it appear, if anything is. */
export type Sight = { readonly selector: string; readonly text: string; readonly clicked?: string };

/**
 * Milliseconds from the click, or else from the beginning of the navigation, until an element is drawn. Runs in a page, so
 * it uses nothing of this file. Rejects when there is nothing to click, or nothing to see for half a minute.
 */
function whenDrawn({ selector, text, clicked }: Sight): Promise<number> {
  return new Promise((resolve, reject) => {
    const startMs = clicked === undefined ? 0 : performance.now();
    const endMs = performance.now() + 30_000;
    const checkFrame = (): void => {
      const isThere = [...document.querySelectorAll(selector)].some((element) =>
        element.textContent.includes(text),
      );
      // What is asked for in a frame's callback is done when the frame has been drawn.
      if (isThere) setTimeout(() => resolve(performance.now() - startMs));
      else if (performance.now() > endMs) reject(new Error(`nothing is drawn at ${selector}`));
      else requestAnimationFrame(checkFrame);
    };
    if (clicked !== undefined) {
      const target = document.querySelector<HTMLElement>(clicked);
      if (target === null) reject(new Error(`nothing to click at ${clicked}`));
      target?.click();
    }
    checkFrame();
  });
}

const GRID = '[role="treegrid"]';
const LIST = '[data-path="/list"]';
const CHILD = '[data-path^="/list/"]';
const REST_MS = 1_000;
const WHEEL_PX = 900;
const WHEEL_EVERY_MS = 25;

/** What is seen of a child of the list. */
type Row = { readonly path: string; readonly text: string };

/** The explorer of a database with a long list, in a tab that closes when disposed. */
export class ExplorerTab {
  readonly #page: Page;
  readonly #faults: string[] = [];

  private constructor(page: Page) {
    this.#page = page;
    page.on('pageerror', (error) => this.#faults.push(error.message));
  }

  /** Opens the list by its address; `firstRowMs` is from the navigation until the first of its children is drawn. */
  static async openList(
    visitor: BrowserContext,
    databaseUrl: string,
  ): Promise<{ readonly tab: ExplorerTab; readonly firstRowMs: number }> {
    const tab = new ExplorerTab(await visitor.newPage());
    await tab.#page.goto(`${databaseUrl}/list`, { waitUntil: 'commit' });
    const firstRowMs = await tab.#page.evaluate(whenDrawn, { selector: CHILD, text: '' });
    return { tab, firstRowMs };
  }

  /** Opens the database, and waits until the tab has come to rest. */
  static async openRoot(visitor: BrowserContext, databaseUrl: string): Promise<ExplorerTab> {
    const tab = new ExplorerTab(await visitor.newPage());
    await tab.#page.goto(databaseUrl);
    await tab.#page.locator(LIST).waitFor();
    await pause(REST_MS);
    return tab;
  }

  /** Opens the list in the tree: milliseconds from the click until the first of its children is drawn. */
  expandList(): Promise<number> {
    return this.#page.evaluate(whenDrawn, { clicked: `${LIST} .toggle`, selector: CHILD, text: '' });
  }

  /** Turns the wheel, without a stop, for as long as given: the longest task in milliseconds, 0 when none took 50. */
  async scroll(durationMs: number): Promise<number> {
    await this.#page.locator(GRID).hover();
    const longestTask = this.#page.evaluate(findLongestTask, durationMs);
    const endMs = readClockMs() + durationMs;
    while (readClockMs() < endMs) {
      await this.#page.mouse.wheel(0, WHEEL_PX);
      await pause(WHEEL_EVERY_MS);
    }
    return await longestTask;
  }

  /**
   * Waits until all rows in sight are read, and returns how many children come before them. Throws unless they are children
   * of the list without a gap.
   */
  async checkRows(): Promise<number> {
    await this.#page.locator('.unread').first().waitFor({ state: 'detached' });
    const rows = await this.#readRows();
    const numbers = rows.map(({ path }) => parseListKey(path.slice('/list/'.length)));
    const [first] = numbers;
    if (first === undefined) throw new Error('no child of the list is seen');
    const wrong = rows.find(
      ({ text }, location) =>
        numbers[location] !== first + location || !text.includes(`"${listName(first + location)}"`),
    );
    if (wrong !== undefined) throw new Error(`after ${first} comes ${wrong.path} with ${wrong.text}`);
    if (this.#faults.length > 0) throw new Error(`the console failed: ${this.#faults.join('; ')}`);
    return first;
  }

  /** Path of a child in the middle of what is seen. */
  async findMiddlePath(): Promise<string> {
    const rows = await this.#readRows();
    const middle = rows[Math.floor(rows.length / 2)];
    if (middle === undefined) throw new Error('no child of the list is seen');
    return middle.path;
  }

  /** Resolves when the text is drawn in the row of a path. */
  async waitForText(path: string, text: string): Promise<void> {
    await this.#page.evaluate(whenDrawn, { selector: `[data-path="${path}"]`, text });
  }

  /** Bytes in use of the heap of scripts, after a collection. */
  async readHeap(): Promise<number> {
    const session = await this.#page.context().newCDPSession(this.#page);
    await session.send('HeapProfiler.collectGarbage');
    await session.send('Performance.enable');
    const { metrics } = await session.send('Performance.getMetrics');
    await session.detach();
    const found = metrics.find(({ name }) => name === 'JSHeapUsedSize');
    if (found === undefined) throw new Error('the browser does not tell the size of its heap');
    return found.value;
  }

  findProcess(): Promise<number> {
    return findTabProcess(this.#page);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#page.close();
  }

  /** Children of the list that are drawn and in sight, from above. */
  #readRows(): Promise<readonly Row[]> {
    return this.#page.evaluate(
      ([grid, child]) => {
        const frame = document.querySelector(grid)?.getBoundingClientRect();
        if (frame === undefined) return [];
        return [...document.querySelectorAll<HTMLElement>(child)]
          .map((row) => ({
            box: row.getBoundingClientRect(),
            path: row.dataset['path'] ?? '',
            text: row.textContent,
          }))
          .filter(({ box }) => box.top >= frame.top && box.bottom <= frame.bottom)
          .sort((one, other) => one.box.top - other.box.top)
          .map(({ path, text }) => ({ path, text }));
      },
      [GRID, CHILD] as const,
    );
  }
}
