import { NotInStandIn, guard } from './guard.ts';
import { records } from './records.ts';

/** One entry of the clipboard: texts by their formats, and a PNG. Promises and bookmarks are not supported here. */
export class ClipboardItem {
  readonly texts: Record<string, string> = {};
  readonly png: Blob | null = null;

  constructor(items: Record<string, unknown>) {
    for (const [format, value] of Object.entries(items)) {
      if (typeof value === 'string') this.texts[format] = value;
      else if (value instanceof Blob && format === 'image/png') this.png = value;
      else throw new NotInStandIn(`ClipboardItem with ${format} as anything but text or a PNG`);
    }
  }
  get types(): string[] {
    return [...Object.keys(this.texts), ...(this.png === null ? [] : ['image/png'])];
  }
}

/** Reading and writing are asynchronous, as since Electron 44. */
export const clipboard = guard('clipboard', {
  async writeText(text: string): Promise<void> {
    if (typeof text !== 'string') throw new TypeError('Error processing argument at index 0, conversion failure');
    records.clipboard = text;
    records.clipboardPng = '';
    records.clipboardFormats = ['text/plain'];
  },
  async write(items: ClipboardItem[]): Promise<void> {
    const png = await items[0]?.png?.arrayBuffer();
    records.clipboard = items[0]?.texts['text/plain'] ?? '';
    records.clipboardPng = png === undefined ? '' : Buffer.from(png).toString('base64');
    records.clipboardFormats = items.flatMap(({ types }) => types);
  },
  readText: async (): Promise<string> => records.clipboard,
  clear(): void {
    records.clipboard = '';
    records.clipboardPng = '';
    records.clipboardFormats = [];
  },
});
