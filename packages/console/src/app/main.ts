import { preloadFonts } from '@hearth/pages/shell/fonts.ts';
import { prefetch } from '../api/prefetch.ts';
import { DEVELOPMENT_TOKEN, readConsoleParameters, SESSION_ADDRESS, signInAddress } from '../api/session.ts';
import { loadTexts, type Namespace, preferredLanguage, setPageLanguage } from '../language/texts.ts';
import { projectOfAddress, segmentsBelowProject } from '../session/addresses.ts';
import type { Gate } from './gate.ts';
import { findView } from './views.ts';

const parameters = readConsoleParameters();
const isDevelopment = parameters.mode === 'development';
const segments = segmentsBelowProject(location.pathname);
const view = findView(segments);
const areas: readonly Namespace[] = [
  'shell',
  ...(isDevelopment ? [] : ['member-sign-in' as const]),
  ...(view === undefined ? [] : view.texts),
];

/**
 * Starts the console. Requests everything that the first view needs in parallel: responses of the server, scripts and texts.
 * When scripts and texts are loaded, renders the console once. This file runs before all other scripts, so it imports little.
 */
async function start(): Promise<void> {
  if (isDevelopment) prefetchSession();
  else prefetchSignIn();
  const scripts = Promise.all([
    import('./open-console.tsx'),
    loadGate(),
    // If this fails, the router loads the view again and shows the error.
    view?.load().catch(() => undefined),
  ]);
  // The first access to `localStorage` blocks the page for some milliseconds, so it runs while the scripts load.
  const language = preferredLanguage();
  setPageLanguage(document.documentElement, language);
  // Data and rules are code. Other views show some, after their other texts.
  preloadFonts(language, { hasCode: segments[0] === 'data' || segments[0] === 'rules' });
  const texts = Promise.all(areas.map((area) => loadTexts(language, area)));
  const [[{ openConsole }, gate, Component]] = await Promise.all([scripts, texts]);
  const first = view === undefined || Component === undefined ? undefined : { view, Component };
  await openConsole({ parameters, language, areas, gate, first });
}

/** Prefetches the session and the first data. In development mode, every request is allowed. */
function prefetchSession(): void {
  prefetch(SESSION_ADDRESS, DEVELOPMENT_TOKEN);
  const address = view?.firstAddress?.(segments, location.search);
  if (address !== undefined) prefetch(address, DEVELOPMENT_TOKEN);
}

/** Prefetches the sign-in parameters; everything else needs a sign-in. */
function prefetchSignIn(): void {
  const project = projectOfAddress(location);
  if (project !== undefined) prefetch(signInAddress(project), null);
}

/** Loads the gate of the mode on demand, because only the member gate needs the Auth SDK. */
async function loadGate(): Promise<Gate> {
  return isDevelopment
    ? (await import('./development-gate.tsx')).developmentGate
    : (await import('./member-gate.tsx')).memberGate;
}

// Not awaited: `start` waits for scripts that import this file, and they run only after this file has run.
void start();
