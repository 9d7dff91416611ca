import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { openTexts } from './language/i18n.ts';
import { openWriting, preferredLanguage, writeInto } from './language/use-language.ts';
import { readConsoleParameters } from './server/console-parameters.ts';

const parameters = readConsoleParameters();
const language = preferredLanguage();
writeInto(document.documentElement, language);
const [texts, writing] = await Promise.all([
  openTexts(language),
  openWriting(language, parameters.styleNonce),
]);
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root element.');
createRoot(root).render(<App parameters={parameters} texts={texts} writing={writing} />);
