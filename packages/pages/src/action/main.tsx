import { createRoot } from 'react-dom/client';
import { chooseLanguage, directionOf, readDataElement } from '../shell/document.ts';
import '../shell/fonts.css';
import { PageRoot } from '../shell/page-root.tsx';
import { openStyleCache } from '../shell/styles.ts';
import { ActionPage } from './page.tsx';
import { hideCode, parseActionParameters } from './parameters.ts';
import { openProofs } from './proofs.ts';
import { loadTexts } from './texts.ts';

const { page, look, lang, styleNonce } = parseActionParameters(readDataElement('parameters'));
const language = chooseLanguage([lang, ...navigator.languages]);
const direction = directionOf(language);
document.documentElement.lang = language;
document.documentElement.dir = direction;
const [messages, styleCache] = await Promise.all([
  loadTexts(language),
  openStyleCache(direction, styleNonce),
]);
// Until everything is loaded, the code stays in the address, so that the user can reload the page after an error.
hideCode();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');
// The browser's `fetch` throws if it is called as a method of another object.
const fetchHere: typeof fetch = (...request) => fetch(...request);
createRoot(root).render(
  <PageRoot styleCache={styleCache} direction={direction} look={look}>
    <ActionPage page={page} language={language} messages={messages} fetch={fetchHere} proofsOf={openProofs} />
  </PageRoot>,
);
