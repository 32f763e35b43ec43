import { defineConfig } from '@playwright/test';
export default defineConfig({ testDir: '/work/main/test/e2e', workers: 1, timeout: 90000, outputDir: '/tmp/pw-out', reporter: 'list', expect: { timeout: 10000 } });
