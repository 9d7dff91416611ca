import { createRoot } from 'react-dom/client';
import { openProofs } from '../action/proofs.ts';
import { chooseLanguage, directionOf, readDataElement } from '../shell/document.ts';
import '../shell/fonts.css';
import { PageRoot } from '../shell/page-root.tsx';
import { openStyleCache } from '../shell/styles.ts';
import { HostedPage } from './page.tsx';
import { parseHostedParameters } from './parameters.ts';
import { Server } from './server.ts';
import { loadTexts } from './texts.ts';

const { page, look, lang, styleNonce } = parseHostedParameters(readDataElement('parameters'));
const language = chooseLanguage([lang, ...navigator.languages]);
const direction = directionOf(language);
document.documentElement.lang = language;
document.documentElement.dir = direction;
const [texts, styleCache] = await Promise.all([loadTexts(language), openStyleCache(direction, styleNonce)]);
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');
const { apiKey, tenantId } = page.kind === 'start' ? page : { apiKey: '', tenantId: undefined };
const server = new Server({
  // The browser's `fetch` throws if it is called as a method of another object.
  fetch: (...request) => fetch(...request),
  apiKey,
  tenantId,
  language,
  proofs: openProofs(apiKey, tenantId, page.kind === 'start' ? page.project.appCheck : undefined),
});
createRoot(root).render(
  <PageRoot styleCache={styleCache} direction={direction} look={look}>
    <HostedPage page={page} language={language} server={server} texts={texts} />
  </PageRoot>,
);
