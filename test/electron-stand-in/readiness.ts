let ask = (): boolean => true;

/** Who knows whether the app is ready. */
export function tellReadiness(isAppReady: () => boolean): void {
  ask = isAppReady;
}

/** True once the app is ready, as `app.isReady()` says. */
export function isReady(): boolean {
  return ask();
}
