import { guard } from './guard.ts';
import { setNavigationGate } from './interception.ts';
import { onPageColorScheme } from './native-theme.ts';
import type { WebContents } from './web-contents.ts';

const all = new Map<number, WebContents>();

export function addContents(contents: WebContents): void {
  all.set(contents.id, contents);
}
export function removeContents(id: number): void {
  all.delete(id);
}

/** The lookup functions of Electron's `webContents`. */
export const webContents = guard('webContents', {
  getAllWebContents: (): WebContents[] => [...all.values()],
  fromId: (id: number): WebContents | undefined => all.get(id),
});

const ofFrame = (frameId: string): WebContents | undefined =>
  [...all.values()].find((one) => one.currentTargetId === frameId);

setNavigationGate(
  (frameId, url) => ofFrame(frameId)?.mayNavigate(url) ?? true,
  (frameId) => ofFrame(frameId)?.id,
);
onPageColorScheme(() => {
  for (const one of all.values()) one.applyColorScheme();
});
