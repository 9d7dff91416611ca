import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * Modules that components import for options which the pages do not use: themes made of CSS variables, growing text areas,
 * ripples, buttons that spin, and components made of components. They are a tenth of all script.
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

/** Puts in place of unused modules an export that says so, should it be called after all. */
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
  /** Where the server serves what is built. */
  base: '/__/auth/',
  publicDir: false,
  plugins: [react(), leaveOutUnused],
  build: {
    // An inlined asset would be a `data:` address, which the policy of the pages allows for images alone.
    assetsInlineLimit: 0,
    // There is one large file; what the others need is loaded with it.
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['action.html'],
      // Libraries mark modules for servers that render React, which mean nothing here.
      checks: { invalidAnnotation: false },
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
