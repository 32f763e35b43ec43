import { checkOptions, guard } from './guard.ts';
import { emitContentsCreated } from './open-windows.ts';
import { WebContents } from './web-contents.ts';
import { readPreferences } from './window-options.ts';
import type { WindowOptions } from './window-options.ts';

/** A page that is in no window, like Electron's WebContentsView before it is added to one. Here it cannot be added. */
export class WebContentsView {
  readonly webContents: WebContents;

  constructor(options: Pick<WindowOptions, 'webPreferences'> = {}) {
    checkOptions('WebContentsView', options, ['webPreferences']);
    const contents = new WebContents(readPreferences(options), {
      size: () => ({ width: 800, height: 600 }),
      closeAsked: () => contents.end(),
      endAsked: () => contents.end(),
      targetGone: () => contents.end(),
      resized() {},
      readyToShow() {},
      focus() {},
      key() {},
      zoomed() {},
    });
    this.webContents = contents;
    emitContentsCreated(contents);
    return guard('WebContentsView', this);
  }
}
