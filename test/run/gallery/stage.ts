import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { LaunchedApp } from '../../kit/launch.ts';
import type { startSandbox } from '../../kit/sandbox.ts';

/** The folder for the pictures, and the scenes that were named. */
export const [outDir = 'gallery', ...wanted] = process.argv.slice(2);
export const sizes = [
  { width: 1440, height: 900 },
  { width: 900, height: 600 },
  { width: 2560, height: 1440 },
] as const;

/** What a scene uses. */
export interface Stage {
  service: Awaited<ReturnType<typeof startSandbox>>;
  dataDir: string;
  /** Another service, with its own settings. */
  startService: typeof startSandbox;
  /** Starts the app. If it ran before, it starts again with the same data. */
  launch: () => Promise<{ app: LaunchedApp; page: Page }>;
}

export async function shoot(page: Page, name: string): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await shootThemes(page, `${name}-${size.width}`);
  }
  await page.setViewportSize(sizes[0]);
}

export async function shootThemes(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.screenshot({ path: join(outDir, `${name}-${colorScheme}.png`) });
  }
}
