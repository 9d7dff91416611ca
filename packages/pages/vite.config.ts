import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin } from 'vite';

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

/** Replaces the helper around dynamic imports, which loads style sheets first. The pages have none. */
const importDirectly: Plugin = {
  name: 'import-directly',
  enforce: 'pre',
  load: {
    filter: { id: /vite\/preload-helper/ },
    handler: () => ({
      code: 'export const __vitePreload = (load) => load();',
      moduleSideEffects: false,
    }),
  },
};

/** Preloads the font of Latin letters in parallel with the scripts, so that the page has it when it shows its first text. */
const preloadFont: Plugin = {
  name: 'preload-font',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => name.includes('inter-latin-wght') && html.includes('rel="stylesheet"'))
        .map((name) => ({
          tag: 'link',
          attrs: {
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            crossorigin: true,
            href: `/__/auth/${name}`,
          },
          injectTo: 'head',
        })),
  },
};

/** Adds the script that apps load before the SDK. It must be a classic script, because modules run later. */
const addShim: Plugin = {
  name: 'add-shim',
  apply: 'build',
  async generateBundle() {
    const built = await build({
      configFile: false,
      root: import.meta.dirname,
      logLevel: 'warn',
      publicDir: false,
      resolve: { conditions: ['source', 'module', 'browser'] },
      build: {
        write: false,
        reportCompressedSize: false,
        lib: { entry: 'src/shim/index.ts', formats: ['iife'], name: 'hearthShim', fileName: () => 'shim.js' },
      },
    });
    const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) =>
      'output' in one ? one.output : [],
    );
    for (const output of outputs)
      if (output.type === 'chunk') this.emitFile({ type: 'asset', fileName: 'shim.js', source: output.code });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  /** The path at which the server serves the build. */
  base: '/__/auth/',
  publicDir: false,
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  plugins: [react(), importDirectly, leaveOutUnused, preloadFont, addShim],
  build: {
    // The Content Security Policy of the pages allows `data:` URLs, which inlined assets use, only for images.
    assetsInlineLimit: 0,
    // A page is one small file and one shared file, so there is little to preload.
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['action.html', 'handler.html', 'sign-in.html', 'iframe.html'],
      // Libraries contain directives for server-side React, which have no effect here.
      checks: { invalidAnnotation: false },
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
