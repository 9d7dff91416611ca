import { createRoot } from 'react-dom/client';
import { chooseLanguage, directionOf } from '../shell/language.ts';
import { PageRoot } from '../shell/page-root.tsx';
import { readDataElement } from '../shell/read-data-element.ts';
import { openStyleCache } from '../shell/style-cache.ts';
import { ActionPage } from './action-page.tsx';
import { parseActionParameters } from './action-parameters.ts';
import { hideCode } from './hide-code.ts';
import { loadMessages } from './messages/load-messages.ts';

const { page, lang, styleNonce } = parseActionParameters(readDataElement('parameters'));
const language = chooseLanguage([lang, ...navigator.languages]);
const direction = directionOf(language);
document.documentElement.lang = language;
document.documentElement.dir = direction;
const [messages, styleCache] = await Promise.all([
  loadMessages(language),
  openStyleCache(direction, styleNonce),
]);
// From here on nothing is loaded whose failure would make the reader load the page again.
hideCode();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');
// The browser's own function minds what it is called on.
const fetchHere: typeof fetch = (...request) => fetch(...request);
createRoot(root).render(
  <PageRoot styleCache={styleCache} direction={direction}>
    <ActionPage page={page} language={language} messages={messages} fetch={fetchHere} />
  </PageRoot>,
);
