import { prefetch } from '../api/prefetch.ts';
import { DEVELOPMENT_TOKEN, readConsoleParameters, SESSION_ADDRESS, signInAddress } from '../api/session.ts';
import { loadTexts, type Namespace, preferredLanguage, writeInto } from '../language/texts.ts';
import { projectOfAddress, segmentsBelowProject } from '../session/addresses.ts';
import type { Gate } from './gate.ts';
import { findView } from './views.ts';

const parameters = readConsoleParameters();
const isOpen = parameters.mode === 'development';
const segments = segmentsBelowProject(location.pathname);
const view = findView(segments);
const areas: readonly Namespace[] = [
  'shell',
  ...(isOpen ? [] : ['member-sign-in' as const]),
  ...(view === undefined ? [] : [view.texts]),
];

/**
 * The start. All that the first view needs is asked for at once: what the server says, scripts and texts, none of which waits
 * for another. When everything is there the console is drawn, and so only once. What this file imports it has to wait for,
 * and is therefore little.
 */
async function start(): Promise<void> {
  if (isOpen) askAsDeveloper();
  else askAsStranger();
  const scripts = Promise.all([
    import('./open-console.tsx'),
    loadGate(),
    // The router tries once more, and tells.
    view?.load().catch(() => undefined),
  ]);
  // Reading preferences for the first time stops the page for a while: it is done while scripts are on their way.
  const language = preferredLanguage();
  writeInto(document.documentElement, language);
  const texts = Promise.all(areas.map((area) => loadTexts(language, area)));
  const [[{ openConsole }, gate, Component]] = await Promise.all([scripts, texts]);
  const first = view === undefined || Component === undefined ? undefined : { view, Component };
  await openConsole({ parameters, language, areas, gate, first });
}

/** In development everybody may ask for everything, and so before it is known who it is. */
function askAsDeveloper(): void {
  prefetch(SESSION_ADDRESS, DEVELOPMENT_TOKEN);
  const address = view?.firstAddress?.(segments, location.search);
  if (address !== undefined) prefetch(address, DEVELOPMENT_TOKEN);
}

/** Who is a member has to show it first. */
function askAsStranger(): void {
  const project = projectOfAddress(location);
  if (project !== undefined) prefetch(signInAddress(project), null);
}

/** Signing in needs the SDK, which development does without. */
async function loadGate(): Promise<Gate> {
  return isOpen
    ? (await import('./development-gate.tsx')).developmentGate
    : (await import('./member-gate.tsx')).memberGate;
}

// Not awaited: scripts that import from this file wait until it has run, and it waits for them.
void start();
