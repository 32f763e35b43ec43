import { isReady } from './readiness.ts';
import http from 'node:http';
import https from 'node:https';
import type { ClientRequest, RequestOptions } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NotInStandIn, StandInEmitter, guard, preventable } from './guard.ts';
import { records } from './records.ts';
import type { DialogRecord } from './records.ts';

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

/** The first of the two forms that Electron accepts: (window, options) or (options). */
function optionsOf(args: unknown[]): Record<string, unknown> {
  const options = args.at(-1);
  return typeof options === 'object' && options !== null ? { ...options } : {};
}

/** Resolves with the answer that the test queued, else with a cancellation. */
function ask(kind: DialogRecord['kind'], options: Record<string, unknown>, cancelled: unknown): unknown {
  const answer = records.dialogAnswers.length > 0 ? records.dialogAnswers.shift() : cancelled;
  records.dialogs.push({ kind, options, answer });
  return answer;
}

/** A dialog whose queued answer is 'stays open' gets its answer later. */
function whenAnswered(answer: unknown): unknown {
  return answer === 'stays open' ? new Promise((resolve) => void records.openDialogs.push(resolve)) : answer;
}

function cancelledMessage(options: Record<string, unknown>): { response: number; checkboxChecked: boolean } {
  const buttons = Array.isArray(options['buttons']) ? options['buttons'] : [];
  const named = buttons.findIndex((label) => typeof label === 'string' && /^(cancel|no)$/i.test(label));
  const cancelId = typeof options['cancelId'] === 'number' ? options['cancelId'] : Math.max(named, 0);
  return { response: cancelId, checkboxChecked: false };
}

export const dialog = guard('dialog', {
  async showMessageBox(...args: unknown[]): Promise<unknown> {
    const { signal, ...options } = optionsOf(args);
    const answer = ask('message', options, cancelledMessage(options));
    if (answer !== 'nobody answers') return whenAnswered(answer);
    if (!(signal instanceof AbortSignal)) throw new Error('Nobody answers this question, and it has no signal.');
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    const withdrawn = cancelledMessage(options);
    const record = records.dialogs.find((each) => each.options === options);
    if (record !== undefined) record.answer = withdrawn;
    return withdrawn;
  },
  showErrorBox(title: string, content: string): void {
    records.dialogs.push({ kind: 'error', options: { title, content }, answer: null });
    console.error(`${title}\n${content}`);
  },
  async showSaveDialog(...args: unknown[]): Promise<unknown> {
    return whenAnswered(ask('save', optionsOf(args), { canceled: true, filePath: '' }));
  },
  async showOpenDialog(...args: unknown[]): Promise<unknown> {
    return whenAnswered(ask('open', optionsOf(args), { canceled: true, filePaths: [] }));
  },
});

/** The systems on which Electron emits an event. One that is not listed is emitted on all (Electron's types). */
const powerEventSystems: Record<string, readonly string[]> = {
  'on-ac': ['darwin', 'win32'],
  'on-battery': ['darwin'],
  'lock-screen': ['darwin', 'win32'],
  'unlock-screen': ['darwin', 'win32'],
  shutdown: ['linux', 'darwin'],
};

class PowerMonitor extends StandInEmitter {
  onBatteryPower = false;
  constructor() {
    super('powerMonitor', [
      'suspend',
      'resume',
      'on-ac',
      'on-battery',
      'shutdown',
      'lock-screen',
      'unlock-screen',
      'user-did-become-active',
      'user-did-resign-active',
      'thermal-state-change',
      'speed-limit-change',
    ]);
    return guard('powerMonitor', this);
  }
  isOnBatteryPower(): boolean {
    return this.onBatteryPower;
  }
  getSystemIdleState(): 'active' | 'idle' | 'locked' | 'unknown' {
    return 'active';
  }
  getSystemIdleTime(): number {
    return 0;
  }
  getCurrentThermalState(): string {
    return 'unknown';
  }
}
export const powerMonitor = new PowerMonitor();

function hasPowerEvent(event: string): boolean {
  return powerEventSystems[event]?.includes(process.platform) ?? true;
}
/**
 * The system reports a power event. Returns whether a listener prevented it. Throws if this system never reports it.
 */
export function firePower(event: string): boolean {
  if (!hasPowerEvent(event))
    throw new Error(`Electron has no event "${event}" of powerMonitor on ${process.platform}.`);
  const said = preventable({});
  powerMonitor.emit(event, said);
  return said.defaultPrevented;
}
/** The plug is pulled or put in. It is an event on systems that report it; on others the app reads it. */
export function setOnBattery(isOnBattery: boolean): void {
  powerMonitor.onBatteryPower = isOnBattery;
  const event = isOnBattery ? 'on-battery' : 'on-ac';
  if (hasPowerEvent(event)) firePower(event);
}

const blockers = new Map<number, string>();
export const powerSaveBlocker = guard('powerSaveBlocker', {
  start(type: string): number {
    const id = records.powerSaveBlockers.length + blockers.size + 1;
    blockers.set(id, type);
    records.powerSaveBlockers = [...blockers.values()];
    return id;
  },
  stop(id: number): boolean {
    const isStopped = blockers.delete(id);
    records.powerSaveBlockers = [...blockers.values()];
    return isStopped;
  },
  isStarted: (id: number): boolean => blockers.has(id),
});

/** Windows are Wayland's if the session is, as in Electron: XDG_SESSION_TYPE=wayland. */
export const isOnWayland = process.platform === 'linux' && process.env['XDG_SESSION_TYPE'] === 'wayland';
const shortcuts = new Map<string, () => void>();
/** Keys that another program has registered. */
const takenShortcuts = new Set((process.env['ELECTRON_STAND_IN_TAKEN_SHORTCUTS'] ?? '').split(',').filter(Boolean));
export const globalShortcut = guard('globalShortcut', {
  register(accelerator: string, callback: () => void): boolean {
    if (
      !/^((CmdOrCtrl|CommandOrControl|Ctrl|Control|Cmd|Command|Alt|Option|Shift|Super|Meta)\+)*[A-Za-z0-9]+$/.test(
        accelerator,
      )
    )
      throw new TypeError(`Error processing argument at index 0, conversion failure from ${accelerator}`);
    // Electron refuses before the app is ready, and for keys that another program has.
    if (!isReady()) throw new Error('globalShortcut cannot be used before the app is ready');
    // Wayland has no global shortcuts.
    if (isOnWayland || takenShortcuts.has(accelerator) || shortcuts.has(accelerator)) return false;
    shortcuts.set(accelerator, callback);
    return true;
  },
  isRegistered: (accelerator: string): boolean => shortcuts.has(accelerator),
  unregister(accelerator: string): void {
    shortcuts.delete(accelerator);
  },
  unregisterAll(): void {
    shortcuts.clear();
  },
});
/** The test presses a global shortcut. False if none is registered for it. */
export function pressGlobalShortcut(accelerator: string): boolean {
  const callback = shortcuts.get(accelerator);
  callback?.();
  return callback !== undefined;
}

const display = {
  id: 1,
  label: 'stand-in',
  bounds: { x: 0, y: 0, width: 1920, height: 1080 },
  workArea: { x: 0, y: 0, width: 1920, height: 1080 },
  size: { width: 1920, height: 1080 },
  workAreaSize: { width: 1920, height: 1080 },
  scaleFactor: 1,
  rotation: 0,
  internal: false,
};
class Screen extends StandInEmitter {
  constructor() {
    super('screen', ['display-added', 'display-removed', 'display-metrics-changed']);
    return guard('screen', this);
  }
  getPrimaryDisplay(): typeof display {
    return display;
  }
  getAllDisplays(): (typeof display)[] {
    return [display];
  }
  getDisplayMatching(): typeof display {
    return display;
  }
  getDisplayNearestPoint(): typeof display {
    return display;
  }
  getCursorScreenPoint(): { x: number; y: number } {
    return { x: 0, y: 0 };
  }
}
export const screen = new Screen();

const fileTypes: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

class AutoUpdater extends StandInEmitter {
  constructor() {
    super('autoUpdater', ['before-quit-for-update']);
  }
}

/** Squirrel's part of Electron, limited to electron-updater's event before the app quits. */
export const autoUpdater = guard('autoUpdater', new AutoUpdater());

type NetRequestOptions = RequestOptions & { session?: unknown; redirect?: unknown };

export const net = guard('net', {
  isOnline: (): boolean => records.isOnline,
  get online(): boolean {
    return records.isOnline;
  },
  /** Node's own request: it has everything of it that electron-updater uses. */
  request({ session: _session, redirect: _redirect, ...options }: NetRequestOptions): ClientRequest {
    return (options.protocol === 'http:' ? http : https).request(options);
  },
  /** Node's fetch, and files as Chromium serves them (type by extension). */
  async fetch(input: string | Request, init?: RequestInit): Promise<Response> {
    const url = typeof input === 'string' ? input : input.url;
    if (!url.startsWith('file:')) return fetch(input, init);
    const path = fileURLToPath(url);
    let bytes: Buffer;
    try {
      bytes = await readFile(path);
    } catch {
      throw new Error('net::ERR_FILE_NOT_FOUND');
    }
    return new Response(new Uint8Array(bytes), {
      headers: { 'content-type': fileTypes[extname(path)] ?? 'application/octet-stream' },
    });
  },
});
