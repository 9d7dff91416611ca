import { installGapi } from './gapi.ts';

// Each part takes the place of one script that the SDK would otherwise load from Google.
installGapi(window);
