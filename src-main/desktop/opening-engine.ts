import type { Engine } from '../engine/engine.ts';
import type { NewNotice } from '../messages/notices.ts';

/** The engine from before it is open: what the desktop asks of it meanwhile is done when it is. */
export class OpeningEngine {
  /** Rejects if the engine cannot be opened. */
  readonly opened: Promise<Engine>;

  constructor(opened: Promise<Engine>) {
    this.opened = opened;
  }

  /** Runs `act` when the engine is open. If it never is, the reason is shown where the app gives up. */
  whenOpen(act: (engine: Engine) => void): void {
    void this.opened.then(act, () => undefined);
  }

  /** Shows the notice in every window. */
  addNotice(notice: NewNotice): void {
    this.whenOpen((engine) => engine.addNotice(notice));
  }

  /** Resolves when everything in progress is on disk. */
  async close(): Promise<void> {
    await (await this.opened).close();
  }
}
