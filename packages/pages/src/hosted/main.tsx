import { createRoot } from 'react-dom/client';
import { chooseLanguage, directionOf, readDataElement } from '../shell/document.ts';
import { PageRoot } from '../shell/page-root.tsx';
import { openStyleCache } from '../shell/styles.ts';
import { HostedPage } from './page.tsx';
import { parseHostedParameters } from './parameters.ts';
import { type AppCheck, Server } from './server.ts';
import { loadTexts } from './texts.ts';

const { page, lang, styleNonce } = parseHostedParameters(readDataElement('parameters'));
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
  appCheck: page.kind === 'start' && page.project.hasAppCheck ? openAppCheck(apiKey) : undefined,
  solveChallenge: async (action) => {
    // Loaded on demand, because few sign-ins need it.
    const { createCaptchaToken } = await import('@hearth/client/captcha-token');
    return createCaptchaToken({ server: location.origin, apiKey, tenantId: tenantId ?? '', action });
  },
});
createRoot(root).render(
  <PageRoot styleCache={styleCache} direction={direction}>
    <HostedPage page={page} language={language} server={server} texts={texts} />
  </PageRoot>,
);

/** Returns the App Check tokens of the page, whose part is loaded on demand, because few projects need it. */
function openAppCheck(key: string): AppCheck {
  const load = () => import('./app-check.ts');
  return {
    read: async () => (await load()).readAppCheckToken(key),
    forget: async () => (await load()).forgetAppCheckToken(key),
  };
}
