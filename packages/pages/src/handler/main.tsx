import { createRoot } from 'react-dom/client';
import { chooseLanguage, directionOf, readDataElement } from '../shell/document.ts';
import '../shell/fonts.css';
import { PageRoot } from '../shell/page-root.tsx';
import { openStyleCache } from '../shell/styles.ts';
import { deliverEvent } from './deliver-event.ts';
import { loadMessages } from './messages/load.ts';
import { HandlerPage } from './page.tsx';
import { parseHandlerParameters } from './parameters.ts';

const { page, styleNonce } = parseHandlerParameters(readDataElement('parameters'));
const language = chooseLanguage(navigator.languages);
const direction = directionOf(language);
document.documentElement.lang = language;
document.documentElement.dir = direction;
const [messages, styleCache] = await Promise.all([
  loadMessages(language),
  openStyleCache(direction, styleNonce),
]);
// The address contains a code that was used. Neither the history nor the screen shows it.
if (page.kind === 'return') location.replace(page.address);
else if (page.kind === 'deliver') history.replaceState(null, '', location.pathname);
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');
createRoot(root).render(
  <PageRoot styleCache={styleCache} direction={direction}>
    <HandlerPage page={page} messages={messages} deliver={deliverEvent} />
  </PageRoot>,
);
