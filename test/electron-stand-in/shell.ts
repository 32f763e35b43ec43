import { guard } from './guard.ts';
import { records } from './records.ts';

/** What would open another program is recorded. */
export const shell = guard('shell', {
  async openExternal(url: string): Promise<void> {
    records.openedExternally.push(url);
  },
  async openPath(path: string): Promise<string> {
    records.openedPaths.push(path);
    return '';
  },
  showItemInFolder(path: string): void {
    records.shownInFolder.push(path);
  },
  beep(): void {
    records.beeps += 1;
  },
});
