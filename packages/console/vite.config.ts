import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * Modules that Material UI imports for features that the console does not use: CSS-variable themes, ripples and
 * higher-order components. The first view would otherwise have to load them.
 */
const UNUSED = new RegExp(
  [
    '@mui/material/styles/createThemeWithVars',
    '@mui/material/ButtonBase/TouchRipple',
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

/**
 * Rules for which modules share a file. A browser needs a millisecond or two per file, even from its cache, so modules that
 * load together are one file. A rule includes the imports of its modules, unless an earlier rule has them; the bundler
 * splits the remaining modules by the set of views that need them.
 */
const FILES = [
  // Runs while the other files load, so it contains only its own imports.
  { name: 'start', test: /console\/src\/app\/main\.ts$/ },
  // The frame of every view.
  { name: 'console', test: /console\/src\/app\/(open-console|development-gate)\.tsx$/ },
  // The first views of a project, which must be small.
  { name: 'first-view', test: /overview\/overview-page\.tsx$/ },
  { name: 'first-steps', test: /overview\/first-run\.tsx$/ },
  // Components that most other views share.
  {
    name: 'components',
    // Without poppers and tooltips, which load on demand.
    test: /@mui\/(material\/(?!Popper|Tooltip)|icons-material\/|utils\/)/,
    minShareCount: 3,
  },
  {
    name: 'common',
    // Without modules that need the code editor or the SDK.
    test: /packages\/(console\/src\/(ui|api)|core\/src)\/(?!type-over|realtime|auth\.)/,
    minShareCount: 3,
    includeDependenciesRecursively: false,
  },
].map((rule, index, { length }) => ({ ...rule, priority: length - index }));

/** Preloads the console script in parallel with the start script, which imports it dynamically. */
const preloadConsole: Plugin = {
  name: 'preload-console',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.values(bundle)
        .filter(({ name }) => name === 'console')
        .map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/console/${fileName}` },
          injectTo: 'head',
        })),
  },
};

export default defineConfig({
  root: import.meta.dirname,
  /** The path at which the server serves the build. */
  base: '/console/',
  publicDir: false,
  plugins: [react(), leaveOutUnused, preloadConsole],
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2023',
    // The Content Security Policy of the page allows `data:` URLs, which inlined assets use, only for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: { codeSplitting: { groups: FILES } },
      // Libraries contain directives for server-side React, which have no effect here.
      checks: { invalidAnnotation: false },
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
