import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * Modules that components import for options which the console does not use: themes made of CSS variables, ripples, and
 * components made of components. The first view would have to load them all the same.
 */
const UNUSED = new RegExp(
  [
    '@mui/material/styles/createThemeWithVars',
    '@mui/material/ButtonBase/TouchRipple',
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
  base: '/console/',
  publicDir: false,
  plugins: [react(), leaveOutUnused],
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2023',
    // An inlined asset would be a `data:` address, which the policy of the page allows for images alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      // Libraries mark modules for servers that render React, which mean nothing here.
      checks: { invalidAnnotation: false },
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
