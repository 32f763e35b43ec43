import { randomBytes } from 'node:crypto';
import { compileFunction } from 'node:vm';
import { createCodec } from './codec.ts';
import { startPageWorld } from './page-world.ts';
import { startPreloadWorld } from './preload-world.ts';
import type { PreloadWorldNames } from './preload-world.ts';
import { createWorldLink } from './world-link.ts';

/** Name of the isolated world in which preload scripts run, as Chromium has it. */
export const preloadWorldName = 'Electron Isolated Context';
export const bindingName = '__standInTell';
export const deliverName = '__standInDeliver';

/** The preload script of a window. */
export interface PreloadFile {
  source: string;
  path: string;
  arguments: readonly string[];
  /** Whether it also runs in the frames of a page (`nodeIntegrationInSubFrames`). */
  isInSubFrames: boolean;
}

/**
 * The two scripts to install in every new document of a window, in this order: the page's own world must listen before
 * the preload exposes anything. The names of their events are new for every window, so no page can guess them.
 */
export function pageSources(preload: PreloadFile): { pageWorld: string; preloadWorld: string } {
  const secret = randomBytes(16).toString('hex');
  const names: PreloadWorldNames = {
    toPage: `to-page-${secret}`,
    toPreload: `to-preload-${secret}`,
    closeWindow: `close-window-${secret}`,
    openWindow: `open-window-${secret}`,
    binding: bindingName,
    deliver: deliverName,
    isInSubFrames: preload.isInSubFrames,
    process: {
      platform: process.platform,
      arch: process.arch,
      versions: { electron: 'stand-in', node: process.versions.node },
      argv: [...preload.arguments],
    },
  };
  const text = JSON.stringify(names);
  const preloadWorld = `(${startPreloadWorld.toString()})(${createCodec.toString()}, ${createWorldLink.toString()}, ${text}, function (require, module, exports, process) {${preload.source}\n});\n//# sourceURL=${preload.path}`;
  // Compiled here once, only to report a syntax error in the preload. Chromium would drop the script silently.
  compileFunction(preloadWorld, [], { filename: preload.path });
  return { pageWorld: `(${startPageWorld.toString()})(${createWorldLink.toString()}, ${text});`, preloadWorld };
}
