import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { noteBundledPackages } from './test/run/notices/bundled-packages.ts';

const notesOf = (bundle: string): string => `${import.meta.dirname}/out/packages/${bundle}.json`;

const bridgePath = `${import.meta.dirname}/src-main/sandbox/workers/handlers/python-bridge.py`;

/** Puts the program that runs handlers in Python beside the chunk that starts it. */
const pythonBridge: Plugin = {
  name: 'python-bridge',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'chunks/python-bridge.py', source: readFileSync(bridgePath) });
  },
};

/**
 * Three bundles: main (with its threads beside it), the preload script, and the windows.
 * Everything is bundled, so the packaged app carries no node_modules but keytar.
 */
export default defineConfig({
  main: {
    plugins: [noteBundledPackages(notesOf('main')), pythonBridge],
    build: {
      externalizeDeps: false,
      minify: false,
      sourcemap: true,
      outDir: 'out/main',
      rollupOptions: {
        input: {
          main: 'src-main/start.ts',
          'history-thread': 'src-main/history/history-thread.ts',
          'backup-thread': 'src-main/history/backup/backup-thread.ts',
          'reply-thread': 'src-main/service/reply-thread.ts',
          'sandbox-thread': 'src-main/sandbox/sandbox-thread.ts',
          'handler-thread': 'src-main/sandbox/workers/handler-thread.ts',
        },
        external: ['electron', 'keytar', /^node:/],
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          // What start.ts imports finds threads and windows from where it lies.
          chunkFileNames: ({ facadeModuleId }) =>
            facadeModuleId?.replaceAll('\\', '/').endsWith('/src-main/main.ts') === true
              ? 'jobdeck.js'
              : 'chunks/[name]-[hash].js',
        },
      },
    },
  },
  preload: {
    plugins: [noteBundledPackages(notesOf('preload'))],
    build: {
      externalizeDeps: false,
      minify: true,
      outDir: 'out/preload',
      rollupOptions: {
        input: { preload: 'src-preload/preload.ts' },
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    plugins: [react(), noteBundledPackages(notesOf('renderer'))],
    worker: { format: 'es', plugins: () => [noteBundledPackages(notesOf('renderer-threads'))] },
    build: {
      minify: true,
      outDir: 'out/renderer',
      emptyOutDir: true,
      chunkSizeWarningLimit: 750,
      // Assets stay files: the CSP allows no inline styles or scripts, and fonts only from the app's own origin.
      assetsInlineLimit: 0,
      rollupOptions: {
        input: `${import.meta.dirname}/src-renderer/index.html`,
        // One file for what the first screen needs, instead of forty that would compress worse.
        output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
      },
    },
  },
});
