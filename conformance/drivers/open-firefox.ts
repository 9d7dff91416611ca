import { join } from 'node:path';
import { type Browser, firefox } from 'playwright';

const BRIDGE = join(import.meta.dirname, 'firefox-bridge.mjs');

/** Less motion, as everywhere in tests of the console: Firefox does not know yet how to be told later. */
const LIKINGS = { 'ui.prefersReducedMotion': 1 };

/** Starts the Firefox that people have, driven by WebDriver BiDi: Debian's, or the one that FIREFOX_PATH names. */
export function openFirefox(): Promise<Browser> {
  return firefox.launch({ channel: 'moz-firefox', executablePath: BRIDGE, firefoxUserPrefs: LIKINGS });
}
