import type { Preparation } from '../../src-preload/app.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import { ok } from '../../src-preload/failure.ts';
import type { EarlyCall } from './ipc.ts';
import type { Windows } from './windows.ts';

export function earlyHandlers({
  windows,
  preparation,
}: {
  windows: Windows;
  preparation: () => Preparation | null;
}): Pick<Handlers, EarlyCall> {
  return {
    'app:preparation': () => ok(preparation()),
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
