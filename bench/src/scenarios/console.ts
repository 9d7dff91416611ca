import { join } from 'node:path';
import type { Browser } from 'playwright';
import { findTabProcess, openChromium, openRegular, openVisitor, readFirstLoad } from '../console/browser.ts';
import { ExplorerTab, writeListFile } from '../console/explorer-tab.ts';
import { type LighthousePreset, type LighthouseScores, runLighthouse } from '../console/lighthouse.ts';
import { TemporaryDirectory } from '../measure/directory.ts';
import { MemoryWatch, readMemory } from '../measure/process.ts';
import { median, pause, readClockMs } from '../measure/time.ts';
import { HEARTH_COMMAND, runCommand } from '../server/command.ts';
import { ServerProcess } from '../server/server-process.ts';
import type { Figure, ScenarioOptions, Target } from './scenario.ts';

/** The default database of the default project of development mode. */
const NAMESPACE = 'demo-default-rtdb';
const MB = 1_000_000;
const FULL_CHILDREN = 1_000_000;
const QUICK_CHILDREN = 100_000;
const WRITES = 20;
/** The number of visits after which browsers keep compiled scripts. */
const EARLIER_VISITS = 3;
/** Interval between writes, so that the console draws each one and starts its highlight before the next. */
const BETWEEN_WRITES_MS = 200;
const LOAD_TARGET: Target = { kind: 'below', bound: 250_000 };
const ROW_TARGET: Target = { kind: 'below', bound: 300 };
const LIGHTHOUSE_TARGET: Target = { kind: 'atLeast', bound: 95 };

/** The measured console. `databaseUrl` is the page of the database. */
type ConsoleLocation = {
  readonly browser: Browser;
  readonly serverUrl: string;
  readonly databaseUrl: string;
};

/**
 * Measures the console in a browser, with a node of a million children. Throws if the console shows wrong rows or
 * fails.
 */
export async function measureConsole({
  subject,
  quick,
  progress,
}: ScenarioOptions): Promise<readonly Figure[]> {
  using directory = new TemporaryDirectory();
  await using server = await ServerProcess.start(subject, directory.path);
  await using browser = await openChromium();
  const serverUrl = `http://127.0.0.1:${server.port}`;
  const projectUrl = `${serverUrl}/console/projects/demo`;
  const location: ConsoleLocation = { browser, serverUrl, databaseUrl: `${projectUrl}/data/${NAMESPACE}` };
  const newProjectBytes = await readFirstLoad(browser, projectUrl);
  const children = quick ? QUICK_CHILDREN : FULL_CHILDREN;
  await importList(serverUrl, children);
  progress(`console: imported ${children} children`);
  const overviewBytes = await readFirstLoad(browser, projectUrl);
  const explorerBytes = await readFirstLoad(browser, location.databaseUrl);
  progress(`console: first load of ${overviewBytes} bytes`);
  return [
    figure('transferred scripts of the first load of the overview', 'bytes', overviewBytes, LOAD_TARGET),
    figure('the same, for a new project', 'bytes', newProjectBytes, LOAD_TARGET),
    figure('the same, for the explorer', 'bytes', explorerBytes),
    ...(await measureFirstRows(location, quick ? 2 : 5, progress)),
    ...(await measureVisit(location, quick ? 3 : 15, progress)),
    ...(await measureDrags(location, children, progress)),
    ...(await judgePage('the overview', projectUrl, quick ? 1 : 3, progress)),
    ...(await judgePage('the explorer', `${location.databaseUrl}/list`, quick ? 1 : 3, progress)),
  ];
}

async function importList(serverUrl: string, children: number): Promise<void> {
  using files = new TemporaryDirectory();
  const path = join(files.path, 'list.json');
  writeListFile(path, children);
  const args = ['import', path, '--url', serverUrl, '--database', NAMESPACE];
  const { code, output } = await runCommand(HEARTH_COMMAND, args).ended;
  if (code !== 0) throw new Error(`hearth ${args.join(' ')} exited with code ${code}:\n${output}`);
}

/** Measures the time until the first rows are drawn, in tabs of a browser that has visited the page before. */
async function measureFirstRows(
  { databaseUrl }: ConsoleLocation,
  rounds: number,
  progress: ScenarioOptions['progress'],
): Promise<readonly Figure[]> {
  using directory = new TemporaryDirectory();
  await using visitor = await openRegular(directory.path);
  for (let visit = 0; visit < EARLIER_VISITS; visit += 1) {
    await using tab = await ExplorerTab.openRoot(visitor, databaseUrl);
    await tab.expandList();
  }
  const navigatedMs: number[] = [];
  const expandedMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { tab: opened, firstRowMs } = await ExplorerTab.openList(visitor, databaseUrl);
    navigatedMs.push(firstRowMs);
    await opened.checkRows();
    await opened[Symbol.asyncDispose]();
    await using tab = await ExplorerTab.openRoot(visitor, databaseUrl);
    expandedMs.push(await tab.expandList());
    await tab.checkRows();
  }
  progress(
    `console: first rows after ${listMs(navigatedMs)}; in an open console after ${listMs(expandedMs)} ms`,
  );
  return [
    figure('first rows, from the navigation, with a warm cache', 'ms', median(navigatedMs), ROW_TARGET),
    figure('first rows, from opening the node in an open console', 'ms', median(expandedMs), ROW_TARGET),
  ];
}

/**
 * Measures the longest task while a tab scrolls for `seconds`, then the time until writes of another client are drawn,
 * and the memory of the tab.
 */
async function measureVisit(
  location: ConsoleLocation,
  seconds: number,
  progress: ScenarioOptions['progress'],
): Promise<readonly Figure[]> {
  const emptyBytes = await readEmptyTab(location);
  await using visitor = await openVisitor(location.browser);
  const { tab } = await ExplorerTab.openList(visitor, location.databaseUrl);
  const pid = await tab.findProcess();
  using watch = new MemoryWatch(pid);
  const longestMs = await tab.scroll(seconds * 1_000);
  const passed = await tab.checkRows();
  if (passed === 0) throw new Error('the wheel did not scroll the list');
  progress(`console: scrolled past ${passed} rows, longest task ${longestMs} ms`);
  const delaysMs = await measureDelays(location, tab);
  progress(`console: writes of another client drawn after ${listMs(delaysMs)} ms`);
  const highest = watch.readHighest();
  const heapBytes = await tab.readHeap();
  const { residentBytes } = readMemory(pid);
  return [
    figure(`longest task of 50 ms or more in ${seconds} s of scrolling`, 'ms', longestMs, {
      kind: 'below',
      bound: 50,
    }),
    figure('rows scrolled past in that time', 'rows', passed),
    figure('memory of the tab, minus that of an empty tab', 'MB', (residentBytes - emptyBytes) / MB, {
      kind: 'below',
      bound: 150,
    }),
    {
      ...figure('resident memory of its process, compared with an empty tab', 'MB', residentBytes / MB),
      compared: emptyBytes / MB,
    },
    figure('peak resident memory, including garbage', 'MB', highest.residentBytes / MB),
    figure('script heap', 'MB', heapBytes / MB),
    figure("another client's write until it is drawn, median", 'ms', median(delaysMs), {
      kind: 'below',
      bound: 100,
    }),
    figure(`the same, longest of ${WRITES}`, 'ms', Math.max(...delaysMs), { kind: 'below', bound: 100 }),
  ];
}

/** Parts of the list to which the scroll bar is dragged, one after the other. */
const SHARES = [0.5, 0.9, 0.25, 0.75, 0.1, 0.6, 0.4];

/**
 * Measures the time until the rows at a place of the list are drawn. Throws if they are not the children at that
 * place.
 */
async function measureDrags(
  { browser, databaseUrl }: ConsoleLocation,
  children: number,
  progress: ScenarioOptions['progress'],
): Promise<readonly Figure[]> {
  await using visitor = await openVisitor(browser);
  const { tab } = await ExplorerTab.openList(visitor, databaseUrl);
  const placesMs = await tab.waitForPlaces(children);
  const draggedMs: number[] = [];
  for (const share of SHARES) {
    draggedMs.push(await tab.drag(share));
    const first = await tab.checkRows();
    if (Math.abs(first - share * children) > children / 50)
      throw new Error(`the scroll bar at ${share} shows child ${first} of ${children}`);
  }
  progress(`console: places known after ${placesMs} ms; rows there after ${listMs(draggedMs)} ms`);
  return [
    figure('the scroll bar is in proportion, after the first rows', 'ms', placesMs),
    figure('rows after dragging the scroll bar, median', 'ms', median(draggedMs), ROW_TARGET),
    figure(`the same, longest of ${SHARES.length}`, 'ms', Math.max(...draggedMs), ROW_TARGET),
  ];
}

/**
 * Measures the Lighthouse scores of a page: all categories on a desktop, and the performance on a slow phone.
 */
async function judgePage(
  name: string,
  url: string,
  rounds: number,
  progress: ScenarioOptions['progress'],
): Promise<readonly Figure[]> {
  const judge = async (preset: LighthousePreset) => {
    const scores: LighthouseScores[] = [];
    for (let round = 0; round < rounds; round += 1) scores.push(await runLighthouse(url, preset));
    progress(`console: Lighthouse, ${preset}, of ${name}: ${JSON.stringify(scores)}`);
    return (category: keyof LighthouseScores) => median(scores.map((one) => one[category]));
  };
  const [desktop, mobile] = [await judge('desktop'), await judge('mobile')];
  const title = `Lighthouse, desktop, of ${name}`;
  return [
    figure(`${title}: performance`, 'of 100', desktop('performance'), LIGHTHOUSE_TARGET),
    figure(`${title}: accessibility`, 'of 100', desktop('accessibility'), LIGHTHOUSE_TARGET),
    figure(`${title}: best practices`, 'of 100', desktop('best-practices'), LIGHTHOUSE_TARGET),
    figure(`Lighthouse, mobile, of ${name}: performance`, 'of 100', mobile('performance')),
  ];
}

/** Returns the resident bytes of the process of an empty tab of the same origin. */
async function readEmptyTab({ browser, serverUrl }: ConsoleLocation): Promise<number> {
  await using visitor = await openVisitor(browser);
  const page = await visitor.newPage();
  await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(serverUrl);
  return readMemory(await findTabProcess(page)).residentBytes;
}

async function measureDelays({ serverUrl }: ConsoleLocation, tab: ExplorerTab): Promise<readonly number[]> {
  const path = await tab.findMiddlePath();
  const delaysMs: number[] = [];
  for (let number = 0; number < WRITES; number += 1) {
    await pause(BETWEEN_WRITES_MS);
    const text = `fresh ${number}.`;
    const drawn = tab.waitForText(path, text);
    const startMs = readClockMs();
    const written = fetch(`${serverUrl}${path}/name.json?ns=${NAMESPACE}`, {
      method: 'PUT',
      body: `"${text}"`,
    });
    await drawn;
    delaysMs.push(readClockMs() - startMs);
    const { status } = await written;
    if (status !== 200) throw new Error(`the response to a write was ${status}`);
  }
  return delaysMs;
}

function figure(name: string, unit: string, value: number, target: Target = { kind: 'none' }): Figure {
  return { name, unit, value, compared: undefined, target };
}

function listMs(valuesMs: readonly number[]): string {
  return valuesMs.map((valueMs) => valueMs.toFixed(0)).join(', ');
}
