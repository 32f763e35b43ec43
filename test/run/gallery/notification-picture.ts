import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import type { NotificationPicture } from '../../electron-stand-in/notification.ts';
import { findChromium } from '../../kit/chromium.ts';
import { projectDir } from '../../kit/electron-binary.ts';
import { outDir } from './stage.ts';

/**
 * Draws what the app gave the desktop to show: no desktop drew it, so fonts and corners are the stand-in's, and every
 * word and button is the app's.
 */
export async function drawNotifications(pictures: readonly NotificationPicture[], name: string): Promise<void> {
  const icon = await readFile(join(projectDir, 'resources', 'icon.png'), 'base64');
  const browser = await chromium.launch({ executablePath: findChromium() ?? '' });
  try {
    for (const colorScheme of ['dark', 'light'] as const) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 420, height: 800 }, deviceScaleFactor: 2 });
      await page.setContent(`<style>${style}</style><main>${pictures.map((one) => markup(one, icon)).join('')}</main>`);
      await page.locator('main').screenshot({ path: join(outDir, `${name}-${colorScheme}.png`) });
      await page.close();
    }
  } finally {
    await browser.close();
  }
}

const style = `
  :root { color-scheme: light dark; font: 13px/18px system-ui, 'DejaVu Sans', sans-serif; }
  body { margin: 0; }
  main { display: grid; gap: 10px; width: 396px; padding: 12px;
    background: light-dark(#dfe3ea, #23262d); color: light-dark(#1b1d22, #edeef1); }
  article { display: grid; grid-template-columns: 36px 1fr; gap: 2px 12px; padding: 12px 14px; border-radius: 12px;
    background: light-dark(#fbfbfd, #33373f); box-shadow: 0 4px 16px rgb(0 0 0 / 0.18); }
  img { grid-row: 1 / 3; width: 36px; height: 36px; }
  h1 { margin: 0; font: 600 13px/18px inherit; font-size: 13px; }
  p { margin: 0; color: light-dark(#4b505a, #b7bbc4); }
  footer { display: flex; gap: 8px; grid-column: 2; margin-top: 8px; }
  span { padding: 4px 12px; border-radius: 6px; background: light-dark(#e9ebef, #454a54); font-weight: 500; }`;

function markup({ title, subtitle, body, actions }: NotificationPicture, icon: string): string {
  const buttons = actions.map((action) => `<span>${escaped(action)}</span>`).join('');
  const text = [subtitle, body].filter((part) => part !== '').join(' · ');
  return `<article><img alt="" src="data:image/png;base64,${icon}"><h1>${escaped(title)}</h1><p>${escaped(text)}</p>${
    buttons === '' ? '' : `<footer>${buttons}</footer>`
  }</article>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
