import { installGapi } from './gapi.ts';
import { installRecaptcha } from './recaptcha.ts';

// Each part replaces one script that the SDK would otherwise load from Google.
installGapi(window);
installRecaptcha(document.currentScript);
