import { NotInStandIn, conversionFailure, guard } from './guard.ts';
import { records } from './records.ts';

/** One entry of the clipboard: texts by their formats, and a PNG. Promises and bookmarks are not supported here. */
export class ClipboardItem {
  readonly texts: Record<string, string> = {};
  readonly png: Blob | null = null;

  constructor(items: Record<string, unknown>) {
    if (typeof items !== 'object' || items === null || Array.isArray(items) || Object.keys(items).length === 0)
      throw new TypeError("Failed to construct 'ClipboardItem': at least one MIME type is required.");
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
  writeText(text: string): Promise<void> {
    if (typeof text !== 'string') throw conversionFailure(0, text);
    records.clipboard = text;
    records.clipboardPng = '';
    records.clipboardFormats = ['text/plain'];
    return Promise.resolve();
  },
  async write(items: ClipboardItem[]): Promise<void> {
    if (!Array.isArray(items) || !items.every((one) => one instanceof ClipboardItem))
      throw new TypeError('clipboard.write expects an array of ClipboardItem');
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
