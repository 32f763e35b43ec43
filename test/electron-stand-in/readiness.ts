let ask = (): boolean => true;

/** Sets the function that knows whether the app is ready. */
export function reportReadiness(isAppReady: () => boolean): void {
  ask = isAppReady;
}

/** Whether the app is ready, like `app.isReady()`. */
export function isReady(): boolean {
  return ask();
}
