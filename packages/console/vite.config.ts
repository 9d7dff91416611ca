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

/**
 * Which modules share a file. A browser takes a millisecond or two for each file, even from its cache, so what is loaded together
 * is one. A rule takes along what its modules import, unless a rule above has it; what no rule takes has files as bundlers
 * make them, one for each set of views that needs it.
 */
const FILES = [
  // Runs while the others are on their way, so it holds what it imports itself and no more.
  { name: 'start', test: /console\/src\/app\/main\.ts$/ },
  // What every view stands in.
  { name: 'console', test: /console\/src\/app\/(open-console|development-gate)\.tsx$/ },
  // First views of a project, which are to be small.
  { name: 'first-view', test: /overview\/overview-page\.tsx$/ },
  { name: 'first-steps', test: /overview\/first-run\.tsx$/ },
  // What most of the other views have in common.
  {
    name: 'components',
    // Without those that stand beside an element, which appear by hand.
    test: /@mui\/(material\/(?!Popper|Tooltip)|icons-material\/|utils\/)/,
    minShareCount: 3,
  },
  {
    name: 'common',
    // Without those that stand on an editor or the SDK.
    test: /packages\/(console\/src\/(ui|api)|core\/src)\/(?!type-over|realtime|auth\.)/,
    minShareCount: 3,
    includeDependenciesRecursively: false,
  },
].map((rule, index, { length }) => ({ ...rule, priority: length - index }));

/** Has the console loaded beside its start, which asks for it only once it runs. */
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
  /** Where the server serves what is built. */
  base: '/console/',
  publicDir: false,
  plugins: [react(), leaveOutUnused, preloadConsole],
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2023',
    // An inlined asset would be a `data:` address, which the policy of the page allows for images alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: { codeSplitting: { groups: FILES } },
      // Libraries mark modules for servers that render React, which mean nothing here.
      checks: { invalidAnnotation: false },
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
