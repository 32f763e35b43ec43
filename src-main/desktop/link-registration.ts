import { linkScheme } from './links.ts';

/** What is asked of the system about links; each question runs another program or reads the registry. */
export interface LinkSystem {
  platform: NodeJS.Platform;
  isPackaged: boolean;
  /** Started from an AppImage: an installed package named its program when it was installed. */
  isAppImage: boolean;
  isDefaultProtocolClient(scheme: string): boolean;
  setAsDefaultProtocolClient(scheme: string): boolean;
}

/**
 * Makes this Jobdeck the program that opens `jobdeck://` links, where it is not yet. To be called once a window is
 * shown, for the system may take long to answer. A start from the sources leaves the installed Jobdeck its links, and a
 * Linux package has them by its desktop file. False where the system refused.
 */
export function registerLinks(system: LinkSystem): boolean {
  const isOurs = system.isPackaged && (system.platform !== 'linux' || system.isAppImage);
  if (!isOurs || system.isDefaultProtocolClient(linkScheme)) return true;
  return system.setAsDefaultProtocolClient(linkScheme);
}
