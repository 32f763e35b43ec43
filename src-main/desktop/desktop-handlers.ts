import { app, clipboard, ClipboardItem, shell } from 'electron';
import type { Handlers } from '../../src-preload/contract.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { imageFacts } from '../../src-preload/image-bytes.ts';
import type { DesktopBackupCall } from '../engine/backups.ts';
import { historyPath } from '../engine/foundation.ts';
import type { Engine } from '../engine/engine.ts';
import { handlerEndings } from '../engine/sandbox-handlers.ts';
import { callText, desktopCallText, handlerDialogText } from '../messages/desktop/calls.ts';
import { backupDialogs } from './files/backup-dialogs.ts';
import { askWhatToOpen, saveFile, saveFiles } from './files/save-file.ts';
import { createExportDialog, exportFile, tableFile } from './files/export-dialog.ts';
import { isSafeExternal } from './pages/app-files.ts';
import { collectDiagnostics } from './diagnostics/diagnostics.ts';
import type { OpenedCopies } from './files/opened-copies.ts';
import type { ConcealedClipboard } from './concealed-clipboard.ts';
import { createReportIfGone, type ReportIfGone } from './windows/report-if-gone.ts';
import { copyOutput } from './copy-output.ts';
import { openAddress } from './open-address.ts';
import type { EarlyCall } from './pages/ipc.ts';
import { openStreamPort } from './pages/stream-port.ts';
import type { MenuEntry } from './system-settings/menu-entry.ts';
import type { Windows } from './windows/windows.ts';
import type { Preparing } from './windows/preparing.ts';
import type { FileContent } from '../whole-file.ts';

type DesktopCall = Exclude<
  Extract<
    keyof Handlers,
    | `app:${string}`
    | `window:${string}`
    | 'job:export'
    | 'table:save'
    | 'stream:subscribe'
    | 'pod:copyEnv'
    | 'pod:openPort'
    | DesktopBackupCall
  >,
  EarlyCall
>;

interface DesktopHandlersParts {
  engine: Engine;
  windows: Windows;
  concealed: Pick<ConcealedClipboard, 'write'>;
  opened: Pick<OpenedCopies, 'open'>;
  logPath: string;
  /** Null if Jobdeck does not run as an AppImage. */
  menuEntry: MenuEntry | null;
  /** Removes known keys and secrets from a text. */
  redact: (text: string) => string;
}

/** Handlers of the calls that need the desktop. */
export function desktopHandlers({
  engine,
  windows,
  concealed,
  opened,
  logPath,
  menuEntry,
  redact,
}: DesktopHandlersParts): Pick<Handlers, DesktopCall> {
  const reportIfGone = createReportIfGone({ addNotice: engine.addNotice, windows });
  const exportTo = createExportDialog(reportIfGone);
  return {
    'app:info': () =>
      ok({
        version: app.getVersion(),
        runtime: process.versions['electron'] === undefined ? 'stand-in' : 'electron',
        platform: process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux',
        keyStorage: engine.keyStorage(),
        notices: engine.notices(),
      }),
    'app:quit': () => {
      // After the answer has been sent.
      setImmediate(() => app.quit());
      return ok(null);
    },
    'app:diagnostics': async () => ok({ text: await collectDiagnostics({ engine, logPath, redact }) }),
    'app:showInFolder': ({ file }) => {
      shell.showItemInFolder(file === 'log' ? logPath : historyPath(app.getPath('userData')));
      return ok(null);
    },
    'app:menuEntry': async () => ok(menuEntry === null ? null : { isAdded: await menuEntry.isAdded() }),
    'app:setMenuEntry': async ({ isAdded }) =>
      menuEntry === null ? failed({ kind: 'refused', message: desktopCallText.noAppImage }) : menuEntry.set(isAdded),
    'app:openExternal': async ({ url }) => {
      if (!isSafeExternal(url)) return failed({ kind: 'refused', field: 'url', message: desktopCallText.notHttps });
      return openAddress(url);
    },
    ...copyHandlers(engine, concealed),
    'app:addSandboxHandler': async (_nothing, { windowId }) => {
      const options = {
        title: handlerDialogText.title,
        properties: ['openFile' as const],
        filters: [{ name: handlerDialogText.fileType, extensions: handlerEndings }],
      };
      return reportIfGone('add-handler', windowId, async (window) => {
        const path = await askWhatToOpen(window, options);
        return path === null ? ok(null) : await engine.addSandboxHandler(path);
      });
    },
    'pod:openPort': async ({ connectionId, podId, port }) => {
      // The address is made here from the last reading of the pod. A window only names the port.
      const address = await engine.pods.browsableAddress(connectionId, podId, port);
      if (!address.ok) return address;
      return openAddress(address.value);
    },
    ...fileHandlers(engine, opened, reportIfGone),
    ...windowHandlers(windows),
    'job:export': async ({ source, format }, { windowId }) => {
      const name = await engine.exportName(source);
      if (name === null) return failed({ kind: 'absent', message: desktopCallText.nothingToExport });
      return exportTo(windowId, exportFile(name, format), (path) => engine.exportJobs(source, format, path));
    },
    'table:save': ({ keys, columns, format, name }, { windowId }) => {
      const source = { kind: 'jobs' as const, keys };
      return exportTo(windowId, tableFile(name, format), (path) =>
        engine.exportJobs(source, { columns, format }, path),
      );
    },
    ...backupDialogs({ backups: engine.backups, reportIfGone, now: Date.now }),
    'stream:subscribe': ({ key, attempt, subscriptionId }, { windowId }) =>
      openStreamPort(windows.byId(windowId), subscriptionId, engine.streamOf(key, attempt))
        ? ok(null)
        : failed({ kind: 'absent', message: callText.windowClosed }),
  };
}

/** The calls that copy something to the clipboard. Secrets are removed from it after a while. */
function copyHandlers(
  engine: Engine,
  concealed: Pick<ConcealedClipboard, 'write'>,
): Pick<Handlers, 'app:copyText' | 'app:copyOutput' | 'app:copyImage' | 'app:copySandboxEnvironment' | 'pod:copyEnv'> {
  return {
    'app:copyText': async ({ text }) => {
      await clipboard.writeText(text);
      return ok(null);
    },
    'app:copyOutput': async ({ key, attempt }) => copyOutput(await engine.outputOf(key, attempt), clipboard),
    'app:copyImage': async ({ png }) => {
      if (imageFacts(png)?.format !== 'png')
        return failed({ kind: 'refused', field: 'png', message: desktopCallText.notPng });
      const blob = new Blob([Uint8Array.from(png)], { type: 'image/png' });
      await clipboard.write([new ClipboardItem({ 'image/png': blob })]);
      return ok(null);
    },
    'app:copySandboxEnvironment': async () => {
      const lines = engine.sandboxEnvironment();
      if (lines === null) return failed({ kind: 'absent', message: desktopCallText.noSandbox });
      await concealed.write(lines);
      return ok(null);
    },
    'pod:copyEnv': async ({ connectionId, podId, name }) => {
      const value = await engine.pods.envValue(connectionId, podId, name);
      if (!value.ok) return value;
      await concealed.write(value.value);
      return ok(null);
    },
  };
}

/** The calls that open a window. */
function windowHandlers(
  windows: Windows,
): Pick<
  Handlers,
  'window:openJob' | 'window:openMain' | 'window:openSandbox' | 'window:openHealth' | 'window:openResource'
> {
  return {
    'window:openJob': ({ key }) => {
      windows.openJob(key);
      return ok(null);
    },
    'window:openMain': ({ destination }) => {
      windows.openMain(destination);
      return ok(null);
    },
    'window:openSandbox': () => {
      windows.openSandbox();
      return ok(null);
    },
    'window:openHealth': ({ connectionId, endpointId }) => {
      windows.openHealth(connectionId, endpointId);
      return ok(null);
    },
    'window:openResource': ({ kind, connectionId, id }) => {
      windows.openResource(kind, connectionId, id);
      return ok(null);
    },
  };
}

/** The calls that save files at a place of the user's choice, show them, and open copies. */
function fileHandlers(
  engine: Engine,
  opened: Pick<OpenedCopies, 'open'>,
  reportIfGone: ReportIfGone,
): Pick<
  Handlers,
  'app:openInEditor' | 'app:openOutput' | 'app:saveFile' | 'app:saveFiles' | 'app:saveOutput' | 'app:showPath'
> {
  /** The files that windows have saved since the start. */
  const savedPaths = new Set<string>();
  const save = async (
    file: { name: string; content: FileContent },
    windowId: number,
  ): Promise<Result<string | null>> => {
    const saved = await reportIfGone('save', windowId, (window) => saveFile(window, file, engine.refusalOf));
    if (saved.ok && saved.value !== null) savedPaths.add(saved.value);
    return saved;
  };
  return {
    'app:openInEditor': ({ bytes, ...text }) => opened.open({ ...text, content: bytes }),
    'app:openOutput': async ({ key, attempt, name }) => {
      const output = await engine.outputOf(key, attempt);
      if (!output.ok) return output;
      const { isEmpty, isJson, parts } = output.value;
      if (isEmpty) return ok({ isEmpty });
      const shown = await opened.open({ name, format: isJson ? 'json' : 'txt', content: parts() });
      return shown.ok ? ok({ isEmpty }) : shown;
    },
    'app:saveFile': ({ name, bytes }, { windowId }) => save({ name, content: bytes }, windowId),
    'app:saveOutput': async ({ key, attempt, name }, { windowId }) => {
      const output = await engine.outputOf(key, attempt);
      if (!output.ok) return output;
      const { isEmpty, isJson, parts } = output.value;
      if (isEmpty) return ok({ kind: 'empty' });
      const saved = await save({ name: `${name}.${isJson ? 'json' : 'txt'}`, content: parts() }, windowId);
      if (!saved.ok) return saved;
      return ok(saved.value === null ? { kind: 'cancelled' } : { kind: 'saved', path: saved.value });
    },
    'app:saveFiles': async ({ files }, { windowId }) => {
      const saved = await reportIfGone('save', windowId, (window) => saveFiles(window, files));
      if (saved.ok) for (const path of saved.value ?? []) savedPaths.add(path);
      return saved;
    },
    'app:showPath': ({ path }) => {
      // Only files that a notice named or a window saved. A window must not open any other place in the file manager.
      if (!savedPaths.has(path) && !engine.notices().some((notice) => notice.path === path))
        return failed({ kind: 'refused', field: 'path', message: desktopCallText.foreignPath });
      shell.showItemInFolder(path);
      return ok(null);
    },
  };
}

interface EarlyHandlersParts {
  windows: Windows;
  preparing: Pick<Preparing, 'shown'>;
}

/** Handlers of the calls that are answered before the engine is open. */
export function earlyHandlers({ windows, preparing }: EarlyHandlersParts): Pick<Handlers, EarlyCall> {
  return {
    'app:preparation': () => ok(preparing.shown()),
    'window:minimize': (_nothing, { windowId }) => {
      windows.byId(windowId)?.minimize();
      return ok(null);
    },
    'window:toggleMaximize': (_nothing, { windowId }) => {
      const window = windows.byId(windowId);
      if (window?.isMaximized() === true) window.unmaximize();
      else window?.maximize();
      return ok(null);
    },
    'window:close': (_nothing, { windowId }) => {
      windows.byId(windowId)?.close();
      return ok(null);
    },
  };
}
