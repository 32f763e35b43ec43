/** Fuses by their position in version 1 of Electron's wire, under electron-builder's names. */
const places: Record<string, number> = {
  runAsNode: 0,
  enableCookieEncryption: 1,
  enableNodeOptionsEnvironmentVariable: 2,
  enableNodeCliInspectArguments: 3,
  enableEmbeddedAsarIntegrityValidation: 4,
  onlyLoadAppFromAsar: 5,
  loadBrowserProcessSpecificV8Snapshot: 6,
  grantFileProtocolExtraPrivileges: 7,
};

/** Whether each fuse is on, by its position. Null for one that is removed or inherited. */
export function fuseStates(wire: Record<string, unknown>): (boolean | null)[] {
  return Array.from({ length: 8 }, (_, place) => {
    const state = wire[place];
    return state === 49 ? true : state === 48 ? false : null;
  });
}

/** Not a fuse: electron-builder then signs a Mac’s program again after the fuses are set. */
const noFuse = 'resetAdHocDarwinSignature';

/** The configured fuses, by position. Errors: throws for a fuse whose position is not known here. */
export function wantedFuses(configured: Record<string, boolean>): Record<number, boolean> {
  return Object.fromEntries(
    Object.entries(configured)
      .filter(([name]) => name !== noFuse)
      .map(([name, isOn]) => {
        const place = places[name];
        if (place === undefined) throw new Error(`No place is known of the fuse ${name}.`);
        return [place, isOn];
      }),
  );
}
