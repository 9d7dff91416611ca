import { closeSync, openSync, writeSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright';
import { pause, readClockMs } from '../measure/time.ts';
import { findTabProcess } from './browser.ts';

const CHILDREN_PER_WRITE = 10_000;

/** Writes JSON of one node `list` with small children, ordered by key. */
export function writeListFile(path: string, children: number): void {
  const file = openSync(path, 'w');
  writeSync(file, '{"list":{');
  for (let first = 0; first < children; first += CHILDREN_PER_WRITE) {
    const count = Math.min(CHILDREN_PER_WRITE, children - first);
    const members = Array.from({ length: count }, (_, index) => listMember(first + index));
    writeSync(file, `${first === 0 ? '' : ','}${members.join(',')}`);
  }
  writeSync(file, '}}');
  closeSync(file);
}

/** Returns the number of a child of the list from its key. */
function parseListKey(key: string): number {
  return Number(key.slice(1));
}

/** Returns the initial name of a child. */
function listName(number: number): string {
  return `user ${number}`;
}

function listMember(number: number): string {
  const key = `k${String(number).padStart(7, '0')}`;
  return `"${key}":{"name":"${listName(number)}","score":${number % 1_000}}`;
}

/**
 * Returns the longest task of a page within the next `durationMs`, in ms. Browsers report only tasks of at
 * least 50 ms, so the result is 0 if there was none. Runs in the page, so it uses no other code of this file.
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

/**
 * An element to wait for, by a selector and a text in it. `clicked` selects the element to click first, if any.
 */
export type AwaitedElement = { readonly selector: string; readonly text: string; readonly clicked?: string };

/**
 * Returns the time until an element is drawn, in ms: from the click, or otherwise from the start of the
 * navigation. Runs in a page, so it uses no other code of this file. Rejects if the element to click does not
 * exist, or if the awaited element is not drawn within 30 s.
 */
function whenDrawn({ selector, text, clicked }: AwaitedElement): Promise<number> {
  return new Promise((resolve, reject) => {
    const startMs = clicked === undefined ? 0 : performance.now();
    const endMs = performance.now() + 30_000;
    const checkFrame = (): void => {
      const isPresent = [...document.querySelectorAll(selector)].some((element) =>
        element.textContent.includes(text),
      );
      // A task that a frame's callback queues runs after the frame is drawn.
      if (isPresent) setTimeout(() => resolve(performance.now() - startMs));
      else if (performance.now() > endMs) reject(new Error(`no element was drawn at ${selector}`));
      else requestAnimationFrame(checkFrame);
    };
    if (clicked !== undefined) {
      const target = document.querySelector<HTMLElement>(clicked);
      if (target === null) reject(new Error(`no element to click at ${clicked}`));
      target?.click();
    }
    checkFrame();
  });
}

/**
 * Moves the scroll bar of the tree to a share of its height. Returns the time until rows are drawn there, in ms. Runs
 * in a page, so it uses no other code of this file. Rejects if they are not drawn within 30 s.
 */
function whenDragged([grid, share]: readonly [string, number]): Promise<number> {
  return new Promise((resolve, reject) => {
    const element = document.querySelector(grid);
    if (element === null) {
      reject(new Error(`no element at ${grid}`));
      return;
    }
    const startMs = performance.now();
    const first = element.querySelector('[data-path]')?.getAttribute('data-path');
    element.scrollTop = share * (element.scrollHeight - element.clientHeight);
    const checkFrame = (): void => {
      const shown = element.querySelector('[data-path]')?.getAttribute('data-path');
      const isDrawn = shown != null && shown !== first && element.querySelector('.unread') === null;
      // A task that a frame's callback queues runs after the frame is drawn.
      if (isDrawn) setTimeout(() => resolve(performance.now() - startMs));
      else if (performance.now() > startMs + 30_000) reject(new Error(`no rows were drawn at ${share}`));
      else requestAnimationFrame(checkFrame);
    };
    requestAnimationFrame(checkFrame);
  });
}

const GRID = '[role="treegrid"]';
const LIST = '[data-path="/list"]';
const CHILD = '[data-path^="/list/"]';
const REST_MS = 1_000;
const WHEEL_PX = 900;
const WHEEL_EVERY_MS = 25;

/** A visible child of the list. */
type Row = { readonly path: string; readonly text: string };

/** The explorer of a database with a long list, in a tab that disposal closes. */
export class ExplorerTab {
  readonly #page: Page;
  readonly #faults: string[] = [];

  private constructor(page: Page) {
    this.#page = page;
    page.on('pageerror', (error) => this.#faults.push(error.message));
  }

  /**
   * Opens the list by its URL. `firstRowMs` is the time from the navigation until the first child is drawn.
   */
  static async openList(
    visitor: BrowserContext,
    databaseUrl: string,
  ): Promise<{ readonly tab: ExplorerTab; readonly firstRowMs: number }> {
    const tab = new ExplorerTab(await visitor.newPage());
    await tab.#page.goto(`${databaseUrl}/list`, { waitUntil: 'commit' });
    const firstRowMs = await tab.#page.evaluate(whenDrawn, { selector: CHILD, text: '' });
    return { tab, firstRowMs };
  }

  /** Opens the database, and waits until the tab is idle. */
  static async openRoot(visitor: BrowserContext, databaseUrl: string): Promise<ExplorerTab> {
    const tab = new ExplorerTab(await visitor.newPage());
    await tab.#page.goto(databaseUrl);
    await tab.#page.locator(LIST).waitFor();
    await pause(REST_MS);
    return tab;
  }

  /** Opens the list in the tree. Returns the time from the click until the first child is drawn, in ms. */
  expandList(): Promise<number> {
    return this.#page.evaluate(whenDrawn, { clicked: `${LIST} .toggle`, selector: CHILD, text: '' });
  }

  /**
   * Turns the wheel without a pause for `durationMs`. Returns the longest task in ms, or 0 if none took 50
   * ms.
   */
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

  /** Waits until the scroll bar is in proportion to this number of children. Returns how long that takes, in ms. */
  async waitForPlaces(children: number): Promise<number> {
    const startMs = readClockMs();
    await this.#page.locator(`${GRID}[aria-rowcount="${children}"]`).waitFor();
    return readClockMs() - startMs;
  }

  /** Drags the scroll bar to a share of its height. Returns the time until the rows there are drawn, in ms. */
  drag(share: number): Promise<number> {
    return this.#page.evaluate(whenDragged, [GRID, share] as const);
  }

  /**
   * Waits until all visible rows are loaded. Returns the number of children before the first. Throws if the rows are
   * not consecutive children of the list, or if a script of the page has failed.
   */
  async checkRows(): Promise<number> {
    await this.#page.locator('.unread').first().waitFor({ state: 'detached' });
    const rows = await this.#readRows();
    const numbers = rows.map(({ path }) => parseListKey(path.slice('/list/'.length)));
    const [first] = numbers;
    if (first === undefined) throw new Error('no child of the list is visible');
    const wrong = rows.find(
      ({ text }, index) => numbers[index] !== first + index || !text.includes(`"${listName(first + index)}"`),
    );
    if (wrong !== undefined)
      throw new Error(`unexpected row ${wrong.path} with ${wrong.text} after ${first}`);
    if (this.#faults.length > 0) throw new Error(`the console failed: ${this.#faults.join('; ')}`);
    return first;
  }

  /** Returns the path of a child in the middle of the visible rows. */
  async findMiddlePath(): Promise<string> {
    const rows = await this.#readRows();
    const middle = rows[Math.floor(rows.length / 2)];
    if (middle === undefined) throw new Error('no child of the list is visible');
    return middle.path;
  }

  /** Resolves when the text is drawn in the row of a path. */
  async waitForText(path: string, text: string): Promise<void> {
    await this.#page.evaluate(whenDrawn, { selector: `[data-path="${path}"]`, text });
  }

  /** Returns the used bytes of the script heap after a garbage collection. */
  async readHeap(): Promise<number> {
    const session = await this.#page.context().newCDPSession(this.#page);
    await session.send('HeapProfiler.collectGarbage');
    await session.send('Performance.enable');
    const { metrics } = await session.send('Performance.getMetrics');
    await session.detach();
    const found = metrics.find(({ name }) => name === 'JSHeapUsedSize');
    if (found === undefined) throw new Error('the browser does not report the size of its heap');
    return found.value;
  }

  findProcess(): Promise<number> {
    return findTabProcess(this.#page);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#page.close();
  }

  /** Returns the visible children of the list, from top to bottom. */
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
