import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * Modules that Material UI imports for features that the pages do not use: CSS-variable themes, auto-sizing text areas,
 * ripples, loading buttons and higher-order components. They would be a tenth of the script.
 */
const UNUSED = new RegExp(
  [
    '@mui/material/styles/createThemeWithVars',
    '@mui/material/TextareaAutosize/index',
    '@mui/material/ButtonBase/TouchRipple',
    '@mui/material/CircularProgress/index',
    'hoist-non-react-statics/.*',
  ].join('|'),
);

/** Replaces unused modules with a function that throws. */
const leaveOutUnused: Plugin = {
  name: 'leave-out-unused',
  load: {
    filter: { id: UNUSED },
    handler: (id) => ({
      code: `export default function LeftOut() { throw new Error(${JSON.stringify(`${id.split('/').at(-1)} is left out of the build`)}); }`,
      moduleSideEffects: false,
    }),
  },
};

export default defineConfig({
  root: import.meta.dirname,
  /** The path at which the server serves the build. */
  base: '/__/auth/',
  publicDir: false,
  plugins: [react(), leaveOutUnused],
  build: {
    // The Content Security Policy of the pages allows `data:` URLs, which inlined assets use, only for images.
    assetsInlineLimit: 0,
    // The entry file contains almost everything, so the other files have nothing to preload.
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['action.html'],
      // Libraries contain directives for server-side React, which have no effect here.
      checks: { invalidAnnotation: false },
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
