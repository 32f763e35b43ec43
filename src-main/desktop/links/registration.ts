import { linkScheme } from '../../../src-preload/job-link.ts';

/** The system's functions for links. Each call runs another program or reads the registry. */
export interface LinkSystem {
  platform: NodeJS.Platform;
  isPackaged: boolean;
  isDefaultProtocolClient(scheme: string): boolean;
  setAsDefaultProtocolClient(scheme: string): boolean;
}

/**
 * Registers this Jobdeck as the program for `jobdeck://` links, if another one or none is registered. Call it when a
 * window is shown, because the system may take long. A start from the sources does not take the links from the
 * installed Jobdeck. On Linux a desktop file has them: that of the package, or that of an AppImage if the user wants it
 * (menu-entry.ts). Returns false if the system refused.
 */
export function registerLinks(system: LinkSystem): boolean {
  const isOurs = system.isPackaged && system.platform !== 'linux';
  if (!isOurs || system.isDefaultProtocolClient(linkScheme)) return true;
  return system.setAsDefaultProtocolClient(linkScheme);
}

/**
 * Returns a function that registers this Jobdeck when it is first called, and does nothing later. It does so after the
 * window is drawn, because the system may take long.
 */
export function createRegisterLinksOnce(system: LinkSystem, onRefused: () => void): () => void {
  let hasBegun = false;
  return () => {
    if (hasBegun) return;
    hasBegun = true;
    setImmediate(() => {
      if (!registerLinks(system)) onRefused();
    });
  };
}
